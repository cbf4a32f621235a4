import type { Effect } from '../../contracts/tool.js';

/** Offsets in the command, half-open: `command.slice(start, end)` is the node. */
export type ShellRange = readonly [start: number, end: number];

/** One node that made the verdict what it is. */
export interface ShellFinding {
  /** The program, or the construct (`>`, `function`) when no program is to blame; empty for the command as a whole. */
  readonly program: string;
  readonly reason: string;
  readonly range: ShellRange;
}

/** What a command does, and the nodes that say so: those that irreversible or write came from, none for read. */
export interface ShellAnalysis {
  readonly effect: Effect;
  readonly findings: readonly ShellFinding[];
  /** A program in it reaches, or may reach, another machine, whatever else it does. Absent: none that is known to. */
  readonly network?: true;
}

/**
 * A host's rule for a program. Gets the arguments after quotes and known variables are resolved; `undefined` stands for
 * what can't be read from the text (it may be any number of words). A throw counts as irreversible.
 */
export type ShellProgramRule = (args: readonly (string | undefined)[]) => Effect;

/** Options of `analyzeShell`. */
export interface AnalyzeShellOptions {
  /** Absolute folder that the command will run in. */
  readonly cwd: string;
  /**
   * Whether something is at a path. It is asked for the absolute path and, inside `cwd`, for the relative one: yes to
   * either counts. Left out, or when it throws: everything exists.
   */
  readonly exists?: ((path: string) => boolean) | undefined;
  /** Whether an absolute path is a folder that exists; `cp a folder` is then judged by `folder/a`. Left out: never. */
  readonly isDirectory?: ((path: string) => boolean) | undefined;
  /** What `~` and `$HOME` stand for; unknown when left out. */
  readonly home?: string | undefined;
  /** Rules of the host by program name; they come before the built-in ones. */
  readonly programs?: Readonly<Record<string, ShellProgramRule>> | undefined;
}

/** What is known about one word of a command, before it runs. */
export interface Field {
  /** The exact word, when it can be read. */
  readonly text: string | undefined;
  /** How it starts for certain. */
  readonly prefix: string;
  /** May begin with a dash, and so be an option. */
  readonly dash: boolean;
  /** An integer for certain. */
  readonly numeric: boolean;
  /** May become any number of words. */
  readonly many: boolean;
  readonly range: ShellRange;
}

/** The verdict over one node, with the reason in words. */
export interface Judgement {
  readonly effect: Effect;
  readonly reason: string;
  /** The word to blame; the whole command when left out. */
  readonly range?: ShellRange | undefined;
}

/** How a file is made. `place` puts something there that was elsewhere (move, link). */
export type TargetKind = 'content' | 'place' | 'folder' | 'stamp';

/** What a program's rule may ask of the walk. */
export interface Scope {
  /** The folders the command may be in; undefined when that can't be known. */
  readonly directories: readonly string[] | undefined;
  readonly home: string | undefined;
  /** Inside something that may run more than once. */
  readonly repeated: boolean;
  /** Judges a path that would be written. */
  target(field: Field, kind: TargetKind): Judgement;
  /** Whether something is, or could be, at this path. */
  mayExist(field: Field): boolean;
  isFolder(field: Field): boolean;
  /** Judges a command given as words. */
  run(words: readonly Field[], options?: { readonly elsewhere?: boolean; readonly repeated?: boolean }): Judgement;
  /** Judges a script held in one word, with positional parameters nobody knows. `fresh`: in a shell of its own. */
  script(field: Field, options?: { readonly fresh?: boolean }): Judgement;
  /** Notes that a variable can't be set any more. */
  freeze(name: string): void;
  /** Follows a change of the working folder. */
  enter(field: Field | undefined): void;
  /** Judges the setting of a variable; undefined value: nobody knows it. */
  assign(name: string, value: Field | undefined, range: ShellRange): Judgement;
}

/** One call of a known program. */
export interface ProgramCall {
  readonly name: string;
  readonly args: readonly Field[];
  readonly scope: Scope;
}
export type ProgramRule = (call: ProgramCall) => Judgement;
/** Rules by program name. */
export type ProgramTable = ReadonlyMap<string, ProgramRule>;
