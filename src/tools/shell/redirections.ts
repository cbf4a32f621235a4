import { stop } from './judgement.js';
import type { Redirection } from './parse-shell.js';
import { judgeTarget } from './targets.js';
import { UNKNOWN, assign, note, rangeOf } from './walk-state.js';
import { readParts, readValue, readWord, type Reading } from './words.js';

/** Never end, so a file that takes what they print never stops growing. */
const ENDLESS_SOURCES = /^\/dev\/(?:zero|u?random|full)$/;

/** Walks the redirections of one command. `program`: whom to name when one must be asked about. */
export function walkRedirections(reading: Reading, redirections: readonly Redirection[], program: string): void {
  const { state } = reading;
  for (const redirection of redirections) {
    const range = rangeOf(state, redirection);
    const refuse = (reason: string): void => note(state, program || redirection.operator, stop(reason), range);
    if (redirection.descriptor?.type === 'FileDescriptorVariable' && !assign(state, redirection.descriptor.name, UNKNOWN)) refuse(`it sets ${redirection.descriptor.name}`);
    if (redirection.type === 'HereDoc') {
      readParts(reading, redirection.body.parts ?? []);
      if (!redirection.closing) refuse('a here-document without its end');
      continue;
    }
    if (redirection.type === 'HereString') {
      if (redirection.target) readValue(reading, redirection.target);
      continue;
    }
    const { operator, target } = redirection;
    if (!target) {
      refuse('a redirection without a target');
      continue;
    }
    const substitution = target.parts?.length === 1 && target.parts[0]?.type === 'ProcessSubstitution';
    const fields = readWord(reading, target);
    const field = fields[0];
    if (substitution) continue;
    const network = /^\/dev\/(?:tcp|udp)\//.test(field?.prefix ?? '');
    if (network) {
      state.network = true;
      refuse('it opens a network connection');
    }
    else if (operator === '<') {
      if (field?.text === undefined && (field?.prefix === '' || field?.prefix.startsWith('/dev/'))) {
        if (field.dash || field.prefix !== '') refuse('it reads from a path that can\'t be read from the text');
      } else if (ENDLESS_SOURCES.test(field?.text ?? '') && redirections.some((other) => other.type === 'Redirect' && other.operator.startsWith('>') && !/^\/dev\//.test(other.target?.value ?? ''))) refuse('it fills a file without end');
    } else if ((operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(field?.text ?? '')) continue;
    else if (!field || fields.length > 1 || field.many || operator === '<&') refuse('a redirection to a place that can\'t be read from the text');
    else note(state, program || operator, judgeTarget(state, field, 'content'), range);
  }
}
