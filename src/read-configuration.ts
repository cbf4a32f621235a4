import * as z from 'zod/mini';
import { ArtooError } from './contracts/errors.js';
import { describeIssues } from './text/describe-issues.js';
import { limitsSchema, type Limits } from './contracts/messages.js';

/**
 * Refuses options that would be ignored: a misspelt one, and one of another version. An option that was meant to protect
 * (a limit, a confirmation) must not be lost without a word. Throws ARTOO_INVALID_CONFIG.
 */
export function assertKnownOptions(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw new ArtooError('ARTOO_INVALID_CONFIG', `createArtoo() knows no option ${unknown.map((key) => `"${key}"`).join(', ')}.`, {
    hint: `Options of this version: ${known.join(', ')}.`,
  });
}

/** Limits as a host gave them, checked. Throws ARTOO_INVALID_CONFIG that names what is wrong. */
export function readLimits(limits: unknown): Limits {
  const parsed = z.safeParse(z.strictObject(limitsSchema.shape), limits ?? {});
  if (parsed.success) return parsed.data;
  throw new ArtooError('ARTOO_INVALID_CONFIG', `limits can't be used.\n${describeIssues(parsed.error.issues)}`, {
    cause: parsed.error, hint: 'limits: { parallel, subtasks, toolCalls, maxRetries, callTimeoutMs, callRetries, stallMs, approvalMs }, numbers all.',
  });
}
