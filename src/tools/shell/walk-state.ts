import type { Effect } from '../../contracts/tool.js';
import type { AnalyzeShellOptions, Field, Judgement, ShellRange } from './types.js';
import { isCounter, isSensitiveVariable } from './variables.js';

/** What is known of a variable's content. */
export type Known = Pick<Field, 'text' | 'prefix' | 'dash' | 'numeric'>;
export const UNKNOWN: Known = { text: undefined, prefix: '', dash: true, numeric: false };
export const NUMBER: Known = { text: undefined, prefix: '', dash: false, numeric: true };

export interface Noted {
  readonly effect: Effect;
  readonly program: string;
  readonly reason: string;
  readonly range: ShellRange;
}

/** Never set by the command: whatever the host's environment has, which counts as safe in arithmetic. */
export const UNSET: Known = { text: undefined, prefix: '', dash: true, numeric: true };

/** Can't be set any more, and has whatever value it had. */
export const FROZEN: Known = { ...UNKNOWN };
/** After so many grave findings the rest can't change the answer. */
const ENOUGH_FINDINGS = 50;

/** Thrown to leave a walk whose answer is settled. */
export class Settled extends Error {}

/** What one walk over a command knows and has found. Lives for one analysis. */
export interface WalkState {
  readonly options: AnalyzeShellOptions;
  readonly noted: Noted[];
  /** A program that reaches other machines was met. */
  network: boolean;
  /** Folders the command may be in; undefined: anywhere. */
  directories: readonly string[] | undefined;
  variables: Map<string, Known>;
  functions: Set<string>;
  /** Paths that other things were moved or linked to within this command. */
  readonly placed: string[];
  /** Folders made by this command. */
  readonly made: Set<string>;
  /** How many more rounds of loops may be walked one by one. */
  rounds: number;
  /** How many more nodes and words are looked at; then the command is too long to be read. */
  budget: number;
  /** How many enclosing nodes may run repeatedly, may not run at all, or keep variables to themselves. */
  repeated: number;
  conditional: number;
  depth: number;
  /** Inside a script that has positional parameters. */
  positional: boolean;
  /** Where nested text stands in the command, when its own offsets mean nothing. */
  outer: ShellRange | undefined;
}

const MOST_NODES = 2_000;

/** Counts one node. Throws when the command has too many, which makes it irreversible. */
export function spend(state: WalkState, count = 1): void {
  state.budget -= count;
  if (state.budget < 0) throw new RangeError(`it has more than ${MOST_NODES} parts`);
}

export function createWalkState(options: AnalyzeShellOptions): WalkState {
  const home = options.home;
  const variables = new Map<string, Known>([
    ['HOME', home === undefined ? { ...UNKNOWN, dash: false } : literal(home)], ['PWD', { ...UNKNOWN, dash: false }], ['OLDPWD', { ...UNKNOWN, dash: false }],
  ]);
  return {
    options, noted: [], network: false, directories: [options.cwd], variables, functions: new Set(), placed: [], made: new Set(), rounds: 64, budget: MOST_NODES,
    repeated: 0, conditional: 0, depth: 0, positional: false, outer: undefined,
  };
}

export function rangeOf(state: WalkState, node: { readonly pos: number; readonly end: number }): ShellRange {
  return state.outer ?? [node.pos, node.end];
}

export function note(state: WalkState, program: string, judgement: Judgement, range: ShellRange): void {
  if (judgement.effect === 'read') return;
  const at = judgement.range ?? range;
  if (state.noted.some((noted) => noted.range[0] === at[0] && noted.range[1] === at[1] && noted.reason === judgement.reason)) return;
  if (state.noted.length >= ENOUGH_FINDINGS && judgement.effect === 'write') return;
  state.noted.push({ effect: judgement.effect, program, reason: judgement.reason, range: at });
  if (state.noted.length >= 2 * ENOUGH_FINDINGS) throw new Settled('enough');
}

export function literal(text: string): Known {
  return { text, prefix: text, dash: text.startsWith('-'), numeric: /^-?\d+$/.test(text) };
}

/** Sets a variable, or only adds to what it may be, when the setting may not happen. False for one that may not be set. */
export function assign(state: WalkState, name: string, value: Known | undefined): boolean {
  if (isSensitiveVariable(name)) return false;
  const next = value ?? UNKNOWN;
  const before = state.variables.get(name);
  if (before === FROZEN) return true;
  const certain = state.conditional === 0 && state.repeated === 0;
  state.variables.set(name, certain ? next : merge(before ?? UNSET, next));
  return true;
}

export function merge(a: Known, b: Known): Known {
  if (a.text !== undefined && a.text === b.text) return a;
  return { text: undefined, prefix: '', dash: a.dash || b.dash, numeric: a.numeric && b.numeric };
}

/** What `$name` stands for. */
export function lookup(state: WalkState, name: string): Known {
  if (isCounter(name)) return NUMBER;
  return state.variables.get(name) ?? UNKNOWN;
}

/** Whether a variable can be used in arithmetic, where bash would run what its text says. */
export function isSafeNumber(state: WalkState, name: string): boolean {
  if (isCounter(name)) return true;
  const known = state.variables.get(name);
  if (known) return known.numeric;
  // Never set here: empty, or what the host put into the environment.
  return /^[A-Za-z_]\w*$/.test(name);
}
