import type { Ids } from '../contracts/runtime.js';

/** Random UUIDs from the platform's own source. */
export const randomIds: Ids = { next: () => globalThis.crypto.randomUUID() };
