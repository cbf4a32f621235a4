import { byName, rankOf, reasonsFor, type Experience } from './experience.js';
import type { FailedPart } from './failures.js';
import { methodsFor, type Skill, type Skills } from './methods.js';
import { placesOf, withPlaces, type OfflineRequest, type Place } from './requests.js';

export interface TryRules {
  readonly directive: string;
  readonly blockedTargets: readonly string[];
  /** The tools that may be used. */
  readonly skills: Skills;
  /** Every subtask had matched, and the result was refused as a whole. */
  readonly refusedWhole: boolean;
  readonly experience: Experience;
}

/** How to go at a request, and with which skills. */
export interface Try {
  readonly request: OfflineRequest;
  readonly method: readonly Skill[];
  /** Numbers of the experience for which this way was taken and not the usual one. */
  readonly reasons: readonly number[];
}

const MISSING = /does not exist|no such (?:file|folder|directory)|ENOENT|not found|is not there/i;
const SUGGESTED = /Did you mean "([^"]+)"/g;
/** Trying again by another way would be to get round somebody's no. */
const DENIED = /\[LAW1\]|was denied|needs a confirmation/;
/** What no other tool or path changes. */
const FINAL = /anywhere in the workspace|say which one is meant|more than \d+ tool calls|I can't do this offline|there is nothing to report/;

/**
 * The next way for a request, given how the last one failed: another path for a thing that isn't where it was said to
 * be, other tools for everything else; undefined when no honest way is left.
 */
export function nextTry(part: OfflineRequest, failure: FailedPart | undefined, rules: TryRules): Try | undefined {
  const tried = failure && failure.part.kind !== 'unsupported' ? failure.part : undefined;
  const why = failure?.why ?? '';
  if (failure && (DENIED.test(why) || FINAL.test(why) || !tried)) return undefined;
  const current = tried ?? part;
  const missing = tried !== undefined && MISSING.test(why);
  const request = withPlaces(current, (place) => relocate(place, missing, why, rules.blockedTargets));
  const moved = placesOf(request).some((place, index) => place !== placesOf(current)[index]);
  if (!moved && placesOf(request).some((place) => rules.blockedTargets.includes(place.path))) return undefined;
  if (request.kind === 'write report' && rules.blockedTargets.includes(request.to)) return undefined;
  const usual = methodsFor(request).filter((method) => method.every((skill) => rules.skills.has(skill)));
  const toolsOf = (method: readonly Skill[]): readonly string[] => method.map((skill) => rules.skills.get(skill)!);
  const methods = [...usual].sort((a, b) => rankOf(toolsOf(b), request, rules.experience) - rankOf(toolsOf(a), request, rules.experience));
  // Blocked tools are gone from the list already; where none is blocked and the path stays, the way must be another.
  const mustDiffer = !moved && (rules.refusedWhole || (tried !== undefined && (rules.directive === 'change_path' || rules.directive === 'refine')));
  const method = mustDiffer ? methods.find((other) => other[0] !== methods[0]?.[0]) : methods[0];
  if (!method) return undefined;
  const swayed = methods[0] !== usual[0] && method === methods[0];
  return { request, method, reasons: swayed ? reasonsFor(toolsOf(method), toolsOf(usual[0]!), rules.experience) : [] };
}

function relocate(place: Place, missing: boolean, why: string, blocked: readonly string[]): Place {
  const named = why.includes(JSON.stringify(place.path)) || blocked.includes(place.path);
  if (!missing || !named || place.path === '.' || place.search !== 'exact') return place;
  const name = place.path.split('/').pop()!;
  const suggestion = [...why.matchAll(SUGGESTED)].map(([, path]) => path!).find((path) => path.split('/').pop() === name && !blocked.includes(path));
  return suggestion === undefined ? byName(place) : { path: suggestion, search: 'exact', meant: place.meant ?? place.path };
}
