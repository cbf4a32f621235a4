import { attentionOf, type ArtooMemory, type Megram } from '../entries/memory.js';
import { oneLine, visible } from './plain-text.js';

const DAY_MS = 86_400_000;

/** One entry: where it belongs and how strong it is, and below that what it says. */
export function entryLines(megram: Megram, now: number): string {
  const { id, level, space, entity, state, sigma, origin, createdAt } = megram;
  const days = Math.max(0, (now - createdAt) / DAY_MS);
  const head = `${level} ${oneLine(space, 60)} ${oneLine(entity, 80)}  ${state} σ ${sigma} attention ${attentionOf(megram, now).toFixed(2)}, ${days.toFixed(1)} days old, ${origin.integrity}, from ${oneLine(origin.source, 40)}${origin.influencedBy ? `, influenced by ${origin.influencedBy.map((source) => oneLine(source, 200)).join('; ')}` : ''}`;
  const content = visible(megram.content).split('\n').map((line) => `    ${line}`).join('\n');
  return `${head}\n    id ${visible(id)}\n${content}`;
}

interface Stats { megrams: number; levels: Record<string, number>; untrusted: number; intents: number; tools: number; oldest: number | null; newest: number | null }

/** Counts over all entries, read one by one so that a large store is no matter. */
export async function statsLines(memory: ArtooMemory, json: boolean): Promise<string> {
  const stats: Stats = { megrams: 0, levels: { M: 0, K: 0, C: 0, T: 0 }, untrusted: 0, intents: 0, tools: 0, oldest: null, newest: null };
  const spaces = new Set<string>();
  for await (const line of memory.export()) {
    const { level, space, origin, createdAt } = JSON.parse(line) as Megram;
    stats.megrams += 1;
    stats.levels[level] = (stats.levels[level] ?? 0) + 1;
    if (origin.integrity === 'untrusted') stats.untrusted += 1;
    spaces.add(space);
    stats.oldest = Math.min(stats.oldest ?? createdAt, createdAt);
    stats.newest = Math.max(stats.newest ?? createdAt, createdAt);
  }
  for (const space of spaces) {
    if (space.startsWith('intent:')) stats.intents += 1;
    else if (space.startsWith('tool:')) stats.tools += 1;
  }
  if (json) return JSON.stringify(stats);
  const { levels, oldest, newest } = stats;
  return [
    `${stats.megrams} entries: ${levels['M']} experiences, ${levels['K']} facts about the surroundings, ${levels['C']} rules`,
    `${stats.intents} kinds of tasks, ${stats.tools} tools; ${stats.untrusted} entries come from text that nobody vouched for`,
    ...(oldest === null || newest === null ? [] : [`from ${new Date(oldest).toISOString().slice(0, 10)} to ${new Date(newest).toISOString().slice(0, 10)}`]),
  ].join('\n');
}
