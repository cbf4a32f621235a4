import { judgeProgram } from './judge-program.js';
import { READ, gravest, stop } from './judgement.js';
import { parseShell } from './parse-shell.js';
import type { Assignment, Command, Statement } from './parse-shell.js';
import { walkRedirections } from './redirections.js';
import { isFolder, isStream, judgeTarget, mayExist, resolvePath } from './targets.js';
import type { Field, Judgement, Scope } from './types.js';
import { FROZEN, UNKNOWN, assign, note, rangeOf, spend } from './walk-state.js';
import type { WalkState } from './walk-state.js';
import { readValue, readWord, type Reading } from './words.js';

const MOST_FOLDERS = 8;
/** Scripts in words of scripts in words. */
const DEEPEST_SCRIPT = 12;
/** Programs that start programs that start programs, with everything around them. */
const DEEPEST_CHAIN = 60;
type WalkList = (statements: readonly Statement[]) => void;

/** Judges a simple command: its assignments, redirections, the program and its arguments. */
export function walkCommand(reading: Reading, command: Command, walkList: WalkList): void {
  const { state } = reading;
  const range = rangeOf(state, command);
  const { name } = command;
  for (const part of command.prefix) if (part.type === 'Assignment') walkAssignment(reading, part, name?.value);
  if (name) {
    const blamed = name.value;
    const named = readWord(reading, name);
    const computed = (name.parts ?? []).some((part) => part.type !== 'Literal' && part.type !== 'SingleQuoted' && part.type !== 'DoubleQuoted' && part.type !== 'AnsiCQuoted')
      || named.length !== 1 || named[0]?.text === undefined || (name.parts ?? []).some((part) => part.type === 'DoubleQuoted' && part.parts.some((inner) => inner.type !== 'Literal'));
    spend(state, command.args.length / 4);
    const args: Field[] = [];
    for (const arg of command.args) {
      if (arg.type === 'Word') args.push(...readWord(reading, arg));
      else args.push(assignmentField(reading, arg));
    }
    const scope = createScope(reading, walkList);
    if (computed) note(state, blamed, stop('the program\'s name is computed'), rangeOf(state, name));
    else note(state, named[0]!.text!, judgeProgram(scope, state, named[0]!, args), range);
    if (endless(named[0]?.text, args) && command.redirects.some((redirect) => redirect.type === 'Redirect' && redirect.operator.startsWith('>') && !isStream(redirect.target?.value))) note(state, blamed, stop('it fills a file without end'), range);
    walkRedirections(reading, command.redirects, blamed);
    return;
  }
  walkRedirections(reading, command.redirects, '');
}

/** Prints without end. */
function endless(name: string | undefined, args: readonly Field[]): boolean {
  return name === 'yes' || (name !== 'head' && name !== 'echo' && name !== 'printf' && args.some((arg) => /^\/dev\/(?:zero|u?random|full)$/.test(arg.text ?? '')));
}

function walkAssignment(reading: Reading, node: Assignment, program: string | undefined): void {
  const { state } = reading;
  const range = rangeOf(state, node);
  const value = assignedValue(reading, node);
  const before = state.variables.get(node.name);
  // How `read` alone cuts its line changes nothing else.
  if (node.name === 'IFS' && program === 'read' && value?.text !== undefined) return;
  if (!assign(state, node.name, value)) note(state, node.name, stop(`setting ${node.name} changes what programs run or load`), range);
  // Set for one program only; eval and functions see it as well.
  if (program !== undefined) {
    if (before !== FROZEN) state.variables.set(node.name, UNKNOWN);
  }
}

function assignedValue(reading: Reading, node: Assignment): Field | undefined {
  const { state } = reading;
  if (node.index) {
    const index = readValue(reading, node.index);
    if (!/^\d+$/.test(index.text ?? '') && !index.numeric) note(state, node.name, stop('an index that can\'t be read: bash runs what it holds'), rangeOf(state, node));
  }
  if (node.value.type === 'ArrayValue') {
    for (const element of node.value.elements) {
      if (/^\[/.test(element.text) && !/^\[[\w"'.-]*\]=/.test(element.text)) note(state, node.name, stop('an index that can\'t be read: bash runs what it holds'), rangeOf(state, node));
      readWord(reading, element);
    }
    return undefined;
  }
  const value = readValue(reading, node.value);
  return node.append === true || node.index ? undefined : value;
}

/** `export A=1` and the like: the rule of the program takes the text apart; the value is walked here. */
function assignmentField(reading: Reading, node: Assignment): Field {
  const value = assignedValue(reading, node);
  const range = rangeOf(reading.state, node);
  if (node.value.type === 'ArrayValue') return { text: node.name, prefix: node.name, dash: false, numeric: false, many: false, range };
  if (node.index || node.append === true) return { ...UNKNOWN, prefix: `${node.name}=`, dash: false, many: false, range };
  return { text: value?.text === undefined ? undefined : `${node.name}=${value.text}`, prefix: `${node.name}=${value?.prefix ?? ''}`, dash: false, numeric: false, many: false, range };
}

function createScope(reading: Reading, walkList: WalkList): Scope {
  const { state } = reading;
  const scope: Scope = {
    get directories() { return state.directories; },
    get repeated() { return state.repeated > 0; },
    home: state.options.home,
    target: (field, kind) => judgeTarget(state, field, kind),
    mayExist: (field) => mayExist(state, field.text),
    isFolder: (field) => isFolder(state, field.text),
    run: (words, { elsewhere = false, repeated = false } = {}) => {
      const [name, ...args] = words;
      if (!name) return READ;
      if (name.text === undefined) return stop('the program\'s name is computed', name.range);
      const directories = state.directories;
      if (elsewhere) state.directories = undefined;
      if (repeated) state.repeated += 1;
      state.depth += 1;
      try {
        if (state.depth > DEEPEST_CHAIN) return stop('it is nested too deeply');
        return judgeProgram(scope, state, name, args, { direct: false });
      } finally {
        state.depth -= 1;
        state.directories = directories;
        if (repeated) state.repeated -= 1;
      }
    },
    script: (field, { fresh = false } = {}) => (fresh ? freshly(state, () => walkText(state, field, walkList)) : walkText(state, field, walkList)),
    freeze: (name) => void state.variables.set(name, FROZEN),
    enter: (field) => enter(state, field),
    assign: (name, value, at) => (assign(state, name, value) ? READ : stop(`setting ${name} changes what programs run or load`, at)),
  };
  return scope;
}

/** Judges a script that is the text of a word. Its nodes are all named by where that word stands. */
function walkText(state: WalkState, field: Field, walkList: WalkList): Judgement {
  if (field.text === undefined) return stop('it runs a script that can\'t be read from the text', field.range);
  if (state.depth > DEEPEST_SCRIPT) return stop('it is nested too deeply', field.range);
  const parsed = parseShell(field.text);
  if ('error' in parsed) return stop(`it runs a script that can't be parsed: ${parsed.error}`, field.range);
  const from = state.noted.length;
  const { outer, positional } = state;
  state.outer = field.range;
  state.positional = true;
  state.conditional += 1;
  state.depth += 1;
  walkList(parsed.script.commands);
  state.depth -= 1;
  state.conditional -= 1;
  state.positional = positional;
  state.outer = outer;
  return gravest(state.noted.slice(from).map(({ effect, program, reason }) => ({ effect, reason: `${program}: ${reason}`, range: field.range })));
}

/** Another shell has none of this one's functions, and its variables only when they are exported. */
function freshly(state: WalkState, walk: () => Judgement): Judgement {
  const { variables, functions } = state;
  state.variables = new Map([...variables.keys()].map((name) => [name, UNKNOWN] as const));
  state.functions = new Set();
  const judgement = walk();
  state.variables = variables;
  state.functions = functions;
  return judgement;
}

function enter(state: WalkState, field: Field | undefined): void {
  if (!state.directories) return;
  const moved = field?.text === undefined ? undefined : resolvePath(state, field.text);
  const all = moved ? [...new Set([...state.directories, ...moved])] : undefined;
  state.directories = all && all.length <= MOST_FOLDERS ? all : undefined;
}
