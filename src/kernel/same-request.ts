import { canonicalJson, type Redactor } from '../text/index.js';

/** What is asked now against what was asked then, after it went through JSON and its secrets were masked. */
export function sameRequest(recorded: unknown, request: unknown, redactor: Redactor | undefined): boolean {
  const before = canonicalJson(recorded ?? null);
  return before === canonicalJson(request ?? null) || (redactor !== undefined && before === canonicalJson(redactor.value(request ?? null)));
}
