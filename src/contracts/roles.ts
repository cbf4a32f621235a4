import type { RoleRoutes } from './role-routes.js';

/** One row of the table that says who may say what; ports, runtime checks and docs derive from it. */
export interface RoleContract extends RoleRoutes {
  readonly name: string;
  readonly livesIn: string;
  readonly loopPosition: string;
  readonly mission: string;
  readonly doesNot: readonly string[];
  readonly accountableFor: string;
}
