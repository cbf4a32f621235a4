import type { MemoryTag } from '../contracts/messages.js';

/** A tag that names one place: a space and an entity in it. */
export interface Place { readonly space: string; readonly entity: string }

const INTENT = 'intent:';
const TOOL = 'tool:';
const PATH = 'path:';
const ENVIRONMENT = 'env:';

/** Where the outcomes of a kind of task are kept. `slug` names the kind, `environment` the surroundings. */
export function intentPlace(slug: string, environment: string): Place {
  return { space: INTENT + slug, entity: ENVIRONMENT + environment };
}

/** Where the experience with a tool on one target is kept. */
export function toolPlace(tool: string, target: string): Place {
  return { space: TOOL + tool, entity: PATH + target };
}

/** All that is known of a tool, whatever the target. */
export function toolTag(tool: string): MemoryTag {
  return { space: TOOL + tool };
}

/** Where knowledge of the surroundings is kept: one entity per thing. */
export function environmentPlace(environment: string, thing: string): Place {
  return { space: ENVIRONMENT + environment, entity: thing };
}

/** The tool that a space is about, if it is about one. */
export function toolOfSpace(space: string): string | undefined {
  return space.startsWith(TOOL) ? space.slice(TOOL.length) : undefined;
}

/** The target that an entity stands for, if it stands for one. */
export function targetOfEntity(entity: string | undefined): string | undefined {
  return entity?.startsWith(PATH) ? entity.slice(PATH.length) : undefined;
}

/** The slug of a space of outcomes, if it is one. */
export function slugOfSpace(space: string): string | undefined {
  return space.startsWith(INTENT) ? space.slice(INTENT.length) : undefined;
}

/** True for a space of knowledge about the surroundings. */
export function isEnvironmentSpace(space: string): boolean {
  return space.startsWith(ENVIRONMENT);
}
