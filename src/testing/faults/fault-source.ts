import { seededRandom } from './random.js';

/** Which faults, and how many. */
export interface FaultOptions<Kind extends string> {
  /** The share of calls that go wrong, 0 to 1; default 0.1. */
  readonly rate?: number;
  /** Only these; default all that the port knows. */
  readonly kinds?: readonly Kind[];
  /** At most so many; default any number. */
  readonly most?: number;
}

/** One fault: at which port, at which of its calls (from 1), and which. */
export interface InjectedFault { readonly port: string; readonly call: number; readonly kind: string }

interface SourceOptions<Kind extends string> extends FaultOptions<Kind> {
  readonly seed: number;
  readonly port: string;
  readonly all: readonly Kind[];
  readonly record: (fault: InjectedFault) => void;
}

/** Makes the source of a port that knows these faults. */
export type SourceMaker<Kind extends string> = (all: readonly Kind[]) => FaultSource<Kind>;

/** Decides, call by call, whether something goes wrong and what. */
export class FaultSource<Kind extends string> {
  /** For the size, the place or the length of a fault. */
  readonly random: () => number;
  private readonly kinds: readonly Kind[];
  private readonly rate: number;
  private readonly decide: () => number;
  private left: number;
  private calls = 0;

  constructor(private readonly options: SourceOptions<Kind>) {
    this.kinds = options.kinds ?? options.all;
    this.rate = options.rate ?? 0.1;
    this.left = options.most ?? Number.POSITIVE_INFINITY;
    this.decide = seededRandom(options.seed);
    this.random = seededRandom(options.seed ^ 0x5bd1e995);
  }

  /** The fault of this call, or undefined. `possible` are those that make sense here. */
  next(possible: readonly Kind[] = this.kinds): Kind | undefined {
    this.calls += 1;
    // Always two draws, so that `most` and `possible` shift nothing.
    const [chance, choice] = [this.decide(), this.decide()];
    const kinds = possible.filter((kind) => this.kinds.includes(kind));
    if (chance >= this.rate || kinds.length === 0 || this.left <= 0) return undefined;
    this.left -= 1;
    const kind = kinds[Math.floor(choice * kinds.length)] as Kind;
    this.options.record({ port: this.options.port, call: this.calls, kind });
    return kind;
  }
}
