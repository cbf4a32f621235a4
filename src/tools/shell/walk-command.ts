import { judgeProgram } from './judge-program.js';
import { READ, gravest, stop } from './judgement.js';
import { parseShell } from './parse-shell.js';
import type { Assignment, Command, Statement } from './parse-shell.js';
import { walkRedirections } from './redirections.js';
import { isFolder, judgeTarget, mayExist, resolvePath } from './targets.js';
import type { Field, Judgement, Scope } from './types.js';
import { UNKNOWN, assign, note, rangeOf } from './walk-state.js';
import type { WalkState } from './walk-state.js';
import { readValue, readWord, type Reading } from './words.js';

const MOST_FOLDERS = 8;
/** Scripts in words of scripts in words. */
const DEEPEST_SCRIPT = 12;
type WalkList = (statements: readonly Statement[]) => void;

/** Judges a simple command: its assignments, redirections, the program and its arguments. */
export function walkCommand(reading: Reading, command: Command, walkList: WalkList): void {
  const { state } = reading;
  const range = rangeOf(state, command);
  const { name } = command;
  for (const part of command.prefix) if (part.type === 'Assignment') walkAssignment(reading, part, name !== undefined);
  if (name) {
    const blamed = name.value;
    const named = readWord(reading, name);
    const computed = (name.parts ?? []).some((part) => part.type !== 'Literal' && part.type !== 'SingleQuoted' && part.type !== 'DoubleQuoted' && part.type !== 'AnsiCQuoted')
      || named.length !== 1 || named[0]?.text === undefined || (name.parts ?? []).some((part) => part.type === 'DoubleQuoted' && part.parts.some((inner) => inner.type !== 'Literal'));
    const args: Field[] = [];
    for (const arg of command.args) {
      if (arg.type === 'Word') args.push(...readWord(reading, arg));
      else args.push(assignmentField(reading, arg));
    }
    const scope = createScope(reading, walkList);
    if (computed) note(state, blamed, stop('the program\'s name is computed'), rangeOf(state, name));
    else note(state, named[0]!.text!, judgeProgram(scope, state, named[0]!, args), range);
    walkRedirections(reading, command.redirects, blamed);
    return;
  }
  walkRedirections(reading, command.redirects, '');
}

function walkAssignment(reading: Reading, node: Assignment, passing: boolean): void {
  const { state } = reading;
  const range = rangeOf(state, node);
  const value = assignedValue(reading, node);
  const before = state.variables.get(node.name);
  if (!assign(state, node.name, value)) note(state, node.name, stop(`setting ${node.name} changes what programs run or load`), range);
  // A variable set for one program only is not seen by the words of the shell.
  if (passing) {
    if (before) state.variables.set(node.name, before);
    else state.variables.delete(node.name);
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
  if (node.index || node.append === true || node.value.type === 'ArrayValue') return { ...UNKNOWN, prefix: `${node.name}=`, dash: false, many: false, range };
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
      if ((state.depth += 1) > 100) return stop('it is nested too deeply');
      try {
        return judgeProgram(scope, state, name, args);
      } finally {
        state.depth -= 1;
        state.directories = directories;
        if (repeated) state.repeated -= 1;
      }
    },
    script: (field) => walkText(state, field, walkList),
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

function enter(state: WalkState, field: Field | undefined): void {
  if (!state.directories) return;
  const moved = field?.text === undefined ? undefined : resolvePath(state, field.text);
  const all = moved ? [...new Set([...state.directories, ...moved])] : undefined;
  state.directories = all && all.length <= MOST_FOLDERS ? all : undefined;
}
