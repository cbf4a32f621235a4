import { checkArithmetic } from './arithmetic.js';
import { isKnownProgram } from './judge-program.js';
import { walkCommand } from './walk-command.js';
import { stop } from './judgement.js';
import { childrenOf } from './parse-shell.js';
import type { ParsedScript, Statement, SyntaxNode, TestExpression, Word } from './parse-shell.js';
import { walkRedirections } from './redirections.js';
import { NUMBER, UNKNOWN, assign, isSafeNumber, merge, note, rangeOf, spend } from './walk-state.js';
import type { Known, WalkState } from './walk-state.js';
import { readValue, readWord, type Reading } from './words.js';

/** Deeper nesting is not read. */
const DEEPEST = 40;
const NUMERIC_TESTS: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const PRINTS_A_NUMBER = /^(?:wc(?: -[lwcm]+)*|nproc|date \+%[sYmdHMSjuw]+|expr [\d +*/()-]+|seq \d+|id -[ug]|git rev-list --count [\w./-]+)$/;

/** What git and others print: one word that is no option. */
const PRINTS_A_NAME = /^(?:git rev-parse(?: (?:--abbrev-ref|--short|--verify|--show-toplevel|HEAD[~^\d]*))+|git describe(?: (?:--tags|--always|--long|--dirty|--abbrev=\d+))*|git merge-base(?: [\w/]+)+|git branch --show-current|git log -1 (?:--format=|--pretty=|--pretty=format:)%[hH]|git rev-list(?: (?:--max-parents=\d|--tags|--max-count=\d+|-n \d+|HEAD))+|pwd|whoami|uname|date \+%[\w%.-]+|mktemp(?: -d)?)$/;

/** Walks every statement of a script. */
export function walkScript(state: WalkState, script: ParsedScript | undefined, node: { readonly pos: number; readonly end: number }): { readonly numeric: boolean; readonly name: boolean } {
  const range = rangeOf(state, node);
  const error = script?.errors?.[0];
  if (!script || error) {
    note(state, '', stop(`it can't be parsed: ${error?.message ?? 'a nested script is missing'}`), range);
    return { numeric: false, name: false };
  }
  const outer = state.outer;
  // Offsets of a script with escaped backticks count in its own text.
  if (script.source !== undefined) state.outer = range;
  isolated(state, () => walkStatements(state, script.commands));
  state.outer = outer;
  return { numeric: prints(script, PRINTS_A_NUMBER), name: prints(script, PRINTS_A_NAME) };
}

/** Walks statements in the same shell. */
export function walkStatements(state: WalkState, statements: readonly Statement[]): void {
  for (const statement of statements) walkNode(state, statement);
}

/** What a subshell does to variables and the folder may or may not be seen outside: both are kept as possible. */
function isolated(state: WalkState, walk: () => void): void {
  state.conditional += 1;
  walk();
  state.conditional -= 1;
}

/** Walks a body that may run several times: what it sets may already be set when it starts. */
function repeatedly(state: WalkState, nodes: readonly SyntaxNode[], walk: () => void): void {
  const moves = { found: false };
  for (const node of nodes) prepare(state, node, moves);
  if (moves.found) state.directories = undefined;
  state.repeated += 1;
  state.conditional += 1;
  walk();
  state.conditional -= 1;
  state.repeated -= 1;
}

function prepare(state: WalkState, node: SyntaxNode, moves: { found: boolean }): void {
  spend(state, 0.25);
  if (node.type === 'Assignment') {
    const number = node.value.type === 'Word' && (/^\d+$/.test(node.value.text) || (node.value.parts?.length === 1 && node.value.parts[0]?.type === 'ArithmeticExpansion'));
    const before = state.variables.get(node.name);
    if (!number || before) state.variables.set(node.name, number ? merge(before ?? UNKNOWN, { ...NUMBER, dash: true }) : UNKNOWN);
  }
  if (node.type === 'For' || node.type === 'Select') state.variables.set(node.name.value, UNKNOWN);
  if (node.type === 'Command') {
    if (/^(?:cd|pushd|popd|eval|builtin|command|trap)$/.test(node.name?.value ?? '')) moves.found = true;
    // Builtins that set variables by name.
    if (/^(?:read|mapfile|readarray|printf|getopts|declare|typeset|local|export|readonly|unset|eval)$/.test(node.name?.value ?? '')) {
      for (const arg of node.args) if (arg.type === 'Word' && /^[A-Za-z_]\w*$/.test(arg.value)) state.variables.set(arg.value, UNKNOWN);
    }
  }
  for (const child of childrenOf(node)) prepare(state, child, moves);
}

function walkNode(state: WalkState, node: SyntaxNode): void {
  spend(state);
  if (state.depth >= DEEPEST) {
    note(state, '', stop('it is nested too deeply'), rangeOf(state, node));
    return;
  }
  state.depth += 1;
  try {
    walkInside(state, node);
  } finally {
    state.depth -= 1;
  }
}

function walkInside(state: WalkState, node: SyntaxNode): void {
  const reading: Reading = { state, walkScript: (script, at) => walkScript(state, script, at) };
  const list = (statements: { readonly commands: readonly Statement[] } | undefined): void => walkStatements(state, statements?.commands ?? []);
  const maybe = (walk: () => void): void => isolated(state, walk);
  const range = rangeOf(state, node);
  switch (node.type) {
    case 'Statement':
      if (node.background === true) {
        if (state.repeated > 0 && endless(state)) note(state, '&', stop('a loop without an end starts processes in the background'), range);
        maybe(() => walkNode(state, node.command));
      } else walkNode(state, node.command);
      return;
    case 'Command':
      walkCommand(reading, node, (statements) => walkStatements(state, statements));
      return;
    case 'Pipeline':
      if (node.commands.length === 1) for (const command of node.commands) walkNode(state, command);
      else maybe(() => { for (const command of node.commands) walkNode(state, command); });
      return;
    case 'AndOr':
      node.commands.forEach((command, index) => {
        // After a chain of && all that came before has happened, so what follows in the chain may rely on it.
        if (index === 0) walkNode(state, command);
        else maybe(() => walkNode(state, command));
      });
      return;
    case 'Subshell':
      maybe(() => list(node.body));
      return;
    case 'BraceGroup':
      list(node.body);
      return;
    case 'CompoundList':
      list(node);
      return;
    case 'If':
      list(node.clause);
      maybe(() => { list(node.then); for (const branch of node.elif) { list(branch.clause); list(branch.then); } list(node.else); });
      return;
    case 'While':
      loops(state, true, () => repeatedly(state, [node.clause, node.body], () => { list(node.clause); list(node.body); }));
      return;
    case 'For':
    case 'Select': {
      const fields = (node.wordlist ?? []).flatMap((word) => readWord(reading, word));
      const name = node.name.value;
      if (!assign(state, name, UNKNOWN)) note(state, 'for', stop(`it sets ${name}`), range);
      const own = setInside(node.body, name);
      const single = !own && fields.length > 0 && fields.length <= state.rounds && fields.every((field) => field.text !== undefined);
      const rounds: readonly Known[] = own || !node.wordlist ? [UNKNOWN] : single ? fields : [common(fields)];
      if (rounds.length > 1) state.rounds -= rounds.length;
      repeatedly(state, [node.body], () => {
        for (const round of rounds) {
          state.variables.set(name, round);
          list(node.body);
        }
      });
      state.variables.set(name, UNKNOWN);
      return;
    }
    case 'ArithmeticFor':
      if (node.initialize) checkArithmetic(reading, node.initialize);
      loops(state, true, () => repeatedly(state, [node.body], () => {
        if (node.test) checkArithmetic(reading, node.test);
        list(node.body);
        if (node.update) checkArithmetic(reading, node.update);
      }));
      return;
    case 'Case':
      readValue(reading, node.word);
      maybe(() => {
        for (const item of node.items) {
          for (const pattern of item.pattern) readValue(reading, pattern, { patterns: true });
          list(item.body);
        }
      });
      return;
    case 'Redirected':
      walkNode(state, node.command);
      walkRedirections(reading, node.redirects, '');
      return;
    case 'TestCommand':
      checkTest(reading, node.expression);
      return;
    case 'ArithmeticCommand':
      if (node.expression) checkArithmetic(reading, node.expression);
      else note(state, '((', stop('an arithmetic expression that can\'t be read'), range);
      return;
    case 'Function':
      defineFunction(state, node.name, node.body, range);
      return;
    default:
      note(state, '', stop(`a construct that isn't understood (${node.type})`), range);
  }
}

/** Loops by condition may never end. The mark is kept in the variables under a name no script can set. */
function loops(state: WalkState, open: boolean, walk: () => void): void {
  const before = state.variables.get(ENDLESS);
  if (open) state.variables.set(ENDLESS, UNKNOWN);
  walk();
  if (before === undefined) state.variables.delete(ENDLESS);
}
const ENDLESS = ' endless';
function endless(state: WalkState): boolean {
  return state.variables.has(ENDLESS);
}

function setInside(node: SyntaxNode, name: string): boolean {
  if (node.type === 'Assignment' && node.name === name) return true;
  if (node.type === 'Command' && node.args.some((arg) => arg.type === 'Word' && arg.value === name)) return true;
  if (node.type === 'For' && node.name.value === name) return true;
  return childrenOf(node).some((child) => setInside(child, name));
}

/** What is common to all words of a loop. */
function common(fields: readonly Known[]): Known {
  const [first, ...rest] = fields;
  return first ? rest.reduce<Known>((known, field) => merge(known, field), first) : UNKNOWN;
}

function defineFunction(state: WalkState, name: Word, body: SyntaxNode, range: readonly [number, number]): void {
  const { value } = name;
  const sure = state.conditional === 0 && state.repeated === 0;
  const positional = state.positional;
  state.positional = true;
  repeatedly(state, [body], () => walkNode(state, body));
  state.positional = positional;
  const plain = name.text === value && /^[A-Za-z_][\w-]*$/.test(value);
  if (!plain || reserved(state, value)) note(state, 'function', stop(`a function named ${JSON.stringify(value)} hides another program`), range);
  else if (sure) state.functions.add(value);
}

/** A function may not take the name of something known: calls of it would then mean two things. */
function reserved(state: WalkState, name: string): boolean {
  return state.functions.has(name) || isKnownProgram(name) || state.options.programs?.[name] !== undefined || name === 'command_not_found_handle';
}

function checkTest(reading: Reading, test: TestExpression): void {
  const { state } = reading;
  switch (test.type) {
    case 'TestUnary': {
      const field = readValue(reading, test.operand, { patterns: true });
      if ((test.operator === '-v' || test.operator === '-R') && !/^\w+$/.test(field.text ?? '')) note(state, '[[', stop('a variable\'s name that can\'t be read: bash runs what its index holds'), rangeOf(state, test));
      return;
    }
    case 'TestBinary': {
      const fields = [readValue(reading, test.left), readValue(reading, test.right, { patterns: true })];
      if (!NUMERIC_TESTS.has(test.operator)) return;
      for (const field of fields) {
        const safe = field.numeric || (field.text !== undefined && /^[A-Za-z_]\w*$/.test(field.text) && isSafeNumber(state, field.text)) || field.text === '';
        if (!safe) note(state, '[[', stop('a comparison of numbers that can\'t be read: bash runs what they hold'), field.range);
      }
      return;
    }
    case 'TestLogical':
      for (const operand of test.operands) checkTest(reading, operand);
      return;
    case 'TestNot':
      checkTest(reading, test.operand);
      return;
    case 'TestGroup':
      checkTest(reading, test.expression);
  }
}

/** Whether a substitution's last program is one of those whose output has a known form. */
function prints(script: ParsedScript, form: RegExp): boolean {
  const [only, ...others] = script.commands;
  if (!only || others.length > 0) return false;
  const last = only.command.type === 'Pipeline' ? only.command.commands.at(-1) : only.command;
  if (last?.type !== 'Command' || last.prefix.length > 0) return false;
  const words = [last.name, ...last.suffix].map((word) => (word?.type === 'Word' && word.parts === undefined ? word.value : word?.type === 'Redirect' && (word.operator === '<' || (word.operator === '>' && word.descriptor?.type === 'FileDescriptor' && word.descriptor.value === 2)) ? '' : undefined));
  return words.every((word) => word !== undefined) && form.test(words.filter((word) => word !== '').join(' '));
}
