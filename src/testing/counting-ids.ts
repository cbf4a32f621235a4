import type { Ids } from '../contracts/runtime.js';

/**
 * Ids that count: `task-1`, `task-2`, `nonce-1`.
 *
 * @example
 * import { CountingIds } from 'artoo/testing';
 * new CountingIds().next('task'); // 'task-1'
 */
export class CountingIds implements Ids {
  private readonly counts = new Map<string, number>();

  next(kind: 'task' | 'nonce' | 'approval'): string {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    return `${kind}-${count}`;
  }
}
