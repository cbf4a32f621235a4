import { cleanText } from './clean-text.js';
import { hash53 } from './hash.js';

export interface FenceOptions {
  /** Where the text comes from, for the reader: `output of readFile (notes.md)`. */
  readonly label: string;
  readonly text: string;
  /** The task's secret. */
  readonly nonce: string;
  /** What tells this block from the task's others, e.g. the address of the call. */
  readonly address: string;
}

const LABEL_LIMIT = 200;
/** What a model's chat template is made of (`<|im_start|>`): some servers read it in the middle of a text, too. */
const CONTROL_TOKEN = /<\|([a-z_][a-z0-9_]{1,40})\|>/gi;
/** Nothing in it to clean; too short to hold a mark. */
const PLAIN_LABEL = /^[a-zA-Z ]{1,13}$/;

/**
 * Wraps foreign text as a block of data. The mark at both ends derives from the task's secret and the address, so the
 * text can't hold it by chance and can't know it; should it occur all the same, it is taken out. The body is cleaned, and
 * the control tokens of chat templates are written apart.
 */
export function fence(options: FenceOptions): string {
  const mark = fenceMark(options);
  const label = PLAIN_LABEL.test(options.label) ? options.label
    : neutralise(cleanText(options.label), mark).replace(/[\s<>]+/g, ' ').trim().slice(0, LABEL_LIMIT);
  const text = neutralise(cleanText(options.text), mark);
  const body = text.includes('<|') ? text.replace(CONTROL_TOKEN, '< |$1| >') : text;
  return `<<<data ${mark} ${label}>>>\n${body}\n<<<end ${mark}>>>`;
}

/** The mark that {@link fence} uses. */
export function fenceMark(options: Pick<FenceOptions, 'nonce' | 'address'>): string {
  return hash53(`${options.nonce}\n${options.address}`);
}

function neutralise(text: string, mark: string): string {
  return text.toLowerCase().includes(mark) ? text.replace(new RegExp(mark, 'gi'), '[mark removed]') : text;
}
