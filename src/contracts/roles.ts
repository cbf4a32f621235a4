import type { MessageType } from './envelope.js';
import type { RoleId } from './names.js';

/** One row of the table that says who may say what; ports, runtime checks and docs derive from it. */
export interface RoleContract {
  readonly name: string;
  readonly livesIn: string;
  readonly loopPosition: string;
  readonly mission: string;
  /** Message type → who may send it to this role. */
  readonly receives: Partial<Record<MessageType, readonly RoleId[]>>;
  /** Message type → whom it goes to. `all` stands for everyone. */
  readonly produces: Partial<Record<MessageType, readonly (RoleId | 'all')[]>>;
  readonly doesNot: readonly string[];
  readonly accountableFor: string;
}
