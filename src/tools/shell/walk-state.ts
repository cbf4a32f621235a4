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

/** What one walk over a command knows and has found. Lives for one analysis. */
export interface WalkState {
  readonly options: AnalyzeShellOptions;
  readonly noted: Noted[];
  /** Folders the command may be in; undefined: anywhere. */
  directories: readonly string[] | undefined;
  readonly variables: Map<string, Known>;
  readonly functions: Set<string>;
  /** Paths that other things were moved or linked to within this command. */
  readonly placed: string[];
  /** Folders made by this command. */
  readonly made: Set<string>;
  /** How many enclosing nodes may run repeatedly, may not run at all, or keep variables to themselves. */
  repeated: number;
  conditional: number;
  depth: number;
  /** Inside a script that has positional parameters. */
  positional: boolean;
  /** Where nested text stands in the command, when its own offsets mean nothing. */
  outer: ShellRange | undefined;
}

export function createWalkState(options: AnalyzeShellOptions): WalkState {
  const home = options.home;
  const variables = new Map<string, Known>([
    ['HOME', home === undefined ? { ...UNKNOWN, dash: false } : literal(home)], ['PWD', { ...UNKNOWN, dash: false }], ['OLDPWD', { ...UNKNOWN, dash: false }],
  ]);
  return {
    options, noted: [], directories: [options.cwd], variables, functions: new Set(), placed: [], made: new Set(),
    repeated: 0, conditional: 0, depth: 0, positional: false, outer: undefined,
  };
}

export function rangeOf(state: WalkState, node: { readonly pos: number; readonly end: number }): ShellRange {
  return state.outer ?? [node.pos, node.end];
}

export function note(state: WalkState, program: string, judgement: Judgement, range: ShellRange): void {
  if (judgement.effect === 'read') return;
  state.noted.push({ effect: judgement.effect, program, reason: judgement.reason, range: judgement.range ?? range });
}

export function literal(text: string): Known {
  return { text, prefix: text, dash: text.startsWith('-'), numeric: /^-?\d+$/.test(text) };
}

/** Sets a variable, or only adds to what it may be, when the setting may not happen. False for one that may not be set. */
export function assign(state: WalkState, name: string, value: Known | undefined): boolean {
  if (isSensitiveVariable(name)) return false;
  const next = value ?? UNKNOWN;
  const before = state.variables.get(name);
  const certain = state.conditional === 0 && state.repeated === 0;
  state.variables.set(name, certain ? next : merge(before ?? UNKNOWN, next));
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
