import { stop } from './judgement.js';
import type { ArithmeticExpression } from './parse-shell.js';
import { readParts, type Reading } from './words.js';
import { NUMBER, assign, isSafeNumber, lookup, note, rangeOf, spend } from './walk-state.js';

const ASSIGNING = /^(?:[+\-*/%&|^]|<<|>>)?=$/;
const NUMERAL = /^(?:\d+#[\w@]+|0[xX][\da-fA-F]+|\d+)$/;

/** Looks for everything in an expression that bash would run: it evaluates what variables hold, subscripts included. */
export function checkArithmetic(reading: Reading, expression: ArithmeticExpression): void {
  const { state } = reading;
  spend(state);
  const refuse = (reason: string): void => note(state, '((', stop(reason), rangeOf(state, expression));
  switch (expression.type) {
    case 'ArithmeticBinary':
      if (ASSIGNING.test(expression.operator)) set(expression.left);
      else checkArithmetic(reading, expression.left);
      checkArithmetic(reading, expression.right);
      return;
    case 'ArithmeticUnary':
      if (expression.operator === '++' || expression.operator === '--') set(expression.operand);
      else checkArithmetic(reading, expression.operand);
      return;
    case 'ArithmeticTernary':
      checkArithmetic(reading, expression.test);
      checkArithmetic(reading, expression.consequent);
      checkArithmetic(reading, expression.alternate);
      return;
    case 'ArithmeticGroup':
      checkArithmetic(reading, expression.expression);
      return;
    case 'ArithmeticCommandExpansion':
      if (!reading.walkScript(expression.script, expression).numeric) refuse('arithmetic over a command\'s output: bash runs what it holds');
      return;
    case 'ArithmeticWord':
      checkWord(expression);
  }

  function set(target: ArithmeticExpression): void {
    const name = target.type === 'ArithmeticWord' ? target.value.trim() : '';
    checkArithmetic(reading, target);
    if (/^[A-Za-z_]\w*$/.test(name) && !assign(state, name, NUMBER)) refuse(`it sets ${name}`);
  }

  function checkWord(word: Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>): void {
    const text = word.value.trim();
    if (text === '' || NUMERAL.test(text)) return;
    if (/^[A-Za-z_]\w*$/.test(text)) {
      if (!isSafeNumber(state, text)) refuse(`arithmetic over ${text}, whose content can't be read: bash runs what it holds`);
      return;
    }
    const parts = word.parts ?? [];
    readParts(reading, parts);
    const name = /^\$\{?([A-Za-z_]\w*|[#?$!])\}?$/.exec(text)?.[1];
    if (name !== undefined && isSafeNumber(state, name)) return;
    if (/^\$\{#[\w@*[\]]+\}$/.test(text) || /^\$#$/.test(text)) return;
    const [only] = parts;
    if (parts.length === 1 && only?.type === 'CommandExpansion' && reading.walkScript(only.script, only).numeric) return;
    if (parts.length === 1 && only?.type === 'ArithmeticExpansion') return;
    if (/^[A-Za-z_]\w*\[\w+\]$/.test(text)) {
      const [, array = '', index = ''] = /^(\w+)\[(\w+)\]$/.exec(text) ?? [];
      if (isSafeNumber(state, array) && (/^\d+$/.test(index) || isSafeNumber(state, index)) && lookup(state, array).numeric) return;
    }
    refuse(`arithmetic over ${JSON.stringify(text)}, which can't be read: bash runs what it holds`);
  }
}
