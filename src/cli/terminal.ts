import { createInterface, type Interface } from 'node:readline';
import { jsonText, oneLine, visible } from './plain-text.js';

/** The streams of a process; tests may hand in others. */
export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Width of a line where nobody reads it in a window. */
const PLAIN_COLUMNS = 240;
const DEFAULT_COLUMNS = 80;
const LEAST_COLUMNS = 20;

/** The one writer of both streams: answers go to one, everything else to the other, nothing raw to either. */
export class Terminal {
  private reader: Interface | undefined;
  private readonly lines: string[] = [];
  private readonly waiting: ((line: string | undefined) => void)[] = [];
  private ended = false;

  constructor(private readonly streams: Streams, private readonly colour: boolean) {}

  /** Can a person be asked? */
  get canAsk(): boolean {
    return this.streams.input.isTTY === true && this.streams.err.isTTY === true;
  }

  answer(text: string): void {
    this.streams.out.write(`${visible(text)}\n`);
  }

  /** For machines. */
  json(value: unknown): void {
    this.streams.out.write(`${jsonText(value)}\n`);
  }

  say(text: string): void {
    this.streams.err.write(`${visible(text)}\n`);
  }

  /** One line of the pipeline, clipped to the window. */
  trace(line: string): void {
    // Some terminals don't know their width and say 0.
    const width = this.streams.err.columns ?? 0;
    const columns = this.streams.err.isTTY ? (width >= LEAST_COLUMNS ? width : DEFAULT_COLUMNS) : PLAIN_COLUMNS;
    const text = oneLine(line, columns);
    this.streams.err.write(this.colour ? `\u001b[2m${text}\u001b[0m\n` : `${text}\n`);
  }

  /** The next line typed or piped in; undefined at the end. */
  async ask(prompt: string): Promise<string | undefined> {
    this.open();
    if (this.canAsk || prompt === '') this.streams.err.write(prompt);
    const line = this.lines.shift();
    if (line !== undefined) return line;
    if (this.ended) return undefined;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Whoever waits for a line gets none. */
  interrupt(): void {
    for (const wake of this.waiting.splice(0)) wake(undefined);
  }

  close(): void {
    this.ended = true;
    this.reader?.close();
    this.interrupt();
  }

  private open(): void {
    if (this.reader) return;
    // Never `terminal: true`: the keys stay the system's, so that Ctrl-C is a signal and not a character.
    this.reader = createInterface({ input: this.streams.input, terminal: false });
    this.reader.on('line', (line) => {
      const wake = this.waiting.shift();
      if (wake) wake(line);
      else this.lines.push(line);
    });
    this.reader.on('close', () => {
      this.ended = true;
      this.interrupt();
    });
  }
}
