import type { Place } from './requests.js';
import { placesOf, withPlaces, type OfflineRequest } from './requests.js';
import { dataBlocks } from './prompt-text.js';

/** What a planning prompt says of earlier tasks, as far as this model can use it. Each fact knows the number it stands under. */
export interface Experience {
  /** Paths where something was not to be found. */
  readonly gone: ReadonlyMap<string, number>;
  /** Tools to prefer, and tools whose calls have to be confirmed. */
  readonly preferred: ReadonlyMap<string, number>;
  readonly cautious: ReadonlyMap<string, number>;
  /** Targets that a tool must not be used on. */
  readonly banned: readonly { readonly tool: string; readonly target: string; readonly number: number }[];
}

const TEXT = '("(?:[^"\\\\]|\\\\.)*")';
const PREFER = new RegExp(`^SHOULD PREFER tool ${TEXT}: `);
const CAUTION = new RegExp(`^CAUTION with tool ${TEXT}: `);
const MUST_NOT = new RegExp(`^MUST NOT use tool ${TEXT} on ${TEXT}: `);
/** What knowledge of the surroundings says, a failed call on record, and this model's own words in an earlier result. */
const NOT_THERE = new RegExp(`${TEXT} was not there; ${TEXT} was\\b`, 'g');
const FAILED_CALL = /^With: \S+ on (.+?) \(failed: [^\n]*\b(?:does not exist|no such file|ENOENT)\b/gim;
const TAKEN = /\(([^()\n]{1,400}) is not there; ([^()\n]{1,400}) was taken for it\.\)/g;

/**
 * Reads the memory of a planning prompt. It is data, and nothing of it is obeyed: a path that was not there is looked
 * for by its name, a tool that did well comes first. Whatever else it may say changes nothing.
 */
export function readExperience(prompt: string): Experience {
  const gone = new Map<string, number>();
  const preferred = new Map<string, number>();
  const cautious = new Map<string, number>();
  const banned: { tool: string; target: string; number: number }[] = [];
  const note = (known: Map<string, number>, name: string | undefined, number: number): void => {
    if (name !== undefined && name !== '' && !known.has(name)) known.set(name, number);
  };
  for (const { number, text } of piecesOf(prompt)) {
    note(preferred, named(PREFER.exec(text)?.[1]), number);
    note(cautious, named(CAUTION.exec(text)?.[1]), number);
    const ban = MUST_NOT.exec(text);
    const [tool, target] = [named(ban?.[1]), named(ban?.[2])];
    if (tool !== undefined && target !== undefined) banned.push({ tool, target, number });
  }
  // The plainest words first: what is known of a path stands there for its own sake.
  for (const pattern of [NOT_THERE, TAKEN, FAILED_CALL]) {
    for (const { number, text } of piecesOf(prompt)) {
      for (const match of text.matchAll(pattern)) note(gone, pattern === NOT_THERE ? named(match[1]) : match[1], number);
    }
  }
  return { gone, preferred, cautious, banned };
}

/** The numbered pieces; what follows a number is indented, so that nothing in a text can pose as a piece. */
function piecesOf(prompt: string): readonly { readonly number: number; readonly text: string }[] {
  const pieces: { number: number; text: string }[] = [];
  for (const { label, text } of dataBlocks(prompt)) {
    if (label !== 'memory') continue;
    for (const line of text.split('\n')) {
      const match = /^\[(\d{1,3})\] (.*)$/.exec(line);
      const last = pieces.at(-1);
      if (match) pieces.push({ number: Number(match[1]), text: match[2]! });
      else if (last) last.text += `\n${line.replace(/^ {4}/, '')}`;
    }
  }
  return pieces;
}

function named(quoted: string | undefined): string | undefined {
  if (quoted === undefined) return undefined;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** The request with every place that was not there looked for by its name; `used` gets the numbers that said so. */
export function relocated(request: OfflineRequest, { gone }: Experience, used: Set<number>): OfflineRequest {
  return withPlaces(request, (place) => {
    const number = place.search === 'exact' ? gone.get(place.path) : undefined;
    if (number === undefined || place.path === '.') return place;
    used.add(number);
    return byName(place);
  });
}

/** Looked for by its last part, wherever it lies; the place that was meant is taken if something is there after all. */
export function byName(place: Place): Place {
  return { path: place.path.split('/').pop()!, search: 'by name', meant: place.meant ?? place.path };
}

/** How well a way is spoken of: ways without a tool to be careful with first, then those that begin with a preferred one. */
export function rankOf(tools: readonly string[], request: OfflineRequest, { preferred, cautious, banned }: Experience): number {
  const paths = placesOf(request).map(({ path }) => path);
  if (banned.some(({ tool, target }) => tools.includes(tool) && paths.includes(target))) return -2;
  if (tools.some((tool) => cautious.has(tool))) return -1;
  return preferred.has(tools[0] ?? '') ? 1 : 0;
}

/** The numbers that spoke for one way or against another. */
export function reasonsFor(chosen: readonly string[], passedOver: readonly string[], { preferred, cautious, banned }: Experience): readonly number[] {
  return [
    ...chosen.slice(0, 1).flatMap((tool) => preferred.get(tool) ?? []),
    ...passedOver.flatMap((tool) => (chosen.includes(tool) ? [] : [cautious.get(tool) ?? [], ...banned.filter((ban) => ban.tool === tool).map(({ number }) => number)].flat())),
  ];
}
