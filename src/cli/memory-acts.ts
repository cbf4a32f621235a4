import { createHash } from 'node:crypto';
import {
  CLOSE_OVERLAP, environmentPlace, HOST_RULES, intentPlace, recall, slugFor, toolOfSpace, toolTag,
  type ArtooMemory, type Megram, type Place,
} from '../entries/memory.js';
import { UsageError } from './arguments.js';
import { visible } from './plain-text.js';

/** A plan shows no more of a rule. */
const LONGEST_RULE = 400;
/** Entries looked through for the names of tools. */
const MOST_LOOKED_AT = 5_000;

/** What a plan for a task would be told. Without a tool named, all that memory knows count as given. */
export async function queryMemory(memory: ArtooMemory, { text, environment, tool, json }: { readonly text: string; readonly environment: string; readonly tool: string | undefined; readonly json: boolean }): Promise<string> {
  const tools = tool === undefined ? await knownTools(memory) : [tool];
  const tags = [intentPlace(slugFor('', text), environment), environmentPlace(environment, HOST_RULES), ...tools.map(toolTag)];
  const reply = await recall(memory, { tags, intent: text, tools, at: Date.now() });
  if (json) return JSON.stringify(reply);
  const named = (ids: readonly string[]): string => (ids.length === 0 ? '' : ` (${ids.map(visible).join(', ')})`);
  const lines = reply.constraints.map(({ text: said, source, megramIds = [] }) => `${visible(said)}\n    by ${visible(source ?? 'memory')}${named(megramIds)}`);
  const { lessons = [], lessonIds = [] } = reply;
  if (lessons.length > 0) lines.push('What earlier tasks left behind:', ...lessons.map((lesson, index) => `- ${visible(lesson).replaceAll('\n', '\n  ')}${named(lessonIds.slice(index, index + 1))}`));
  if (reply.log && reply.log.length > 0) lines.push('Left out or weakened:', ...reply.log.map((entry) => `- ${visible(entry)}`));
  return lines.length === 0 ? 'Memory has nothing to say about this.' : lines.join('\n');
}

async function knownTools(memory: ArtooMemory): Promise<string[]> {
  const entries = await memory.list({ limit: MOST_LOOKED_AT });
  return [...new Set(entries.flatMap(({ space }) => toolOfSpace(space) ?? []))];
}

/** Keeps a rule that the host declares: trusted, without decay, and the same one however often it is declared. */
export async function rememberRule(memory: ArtooMemory, rule: {
  readonly text: string; readonly not: boolean; readonly tool: string | undefined; readonly like: string | undefined; readonly environment: string; readonly at: number;
}): Promise<{ readonly megram: Megram; readonly known: boolean }> {
  const content = rule.text.replace(/\s+/g, ' ').trim();
  if (content.length > LONGEST_RULE) throw new UsageError(`A rule has at most ${LONGEST_RULE} characters; this one has ${content.length}.`);
  if (rule.tool !== undefined && rule.like !== undefined) throw new UsageError('--tool and --for exclude each other.');
  const place = await placeFor(memory, rule);
  const sigma = rule.not ? -1 : 1;
  const id = `host/${createHash('sha256').update(JSON.stringify([place.space, place.entity, sigma, content])).digest('hex').slice(0, 16)}`;
  const megram: Megram = {
    id, level: 'C', createdAt: rule.at, lastRecalledAt: null, ...place, content, state: 'declared', f: 1, sigma, k: 0,
    origin: { taskId: 'host', integrity: 'trusted', source: 'host' },
  };
  const known = (await memory.get(id)) !== undefined;
  memory.append(megram);
  await memory.flush();
  return { megram, known };
}

async function placeFor(memory: ArtooMemory, { tool, like, environment }: { readonly tool: string | undefined; readonly like: string | undefined; readonly environment: string }): Promise<Place> {
  if (tool !== undefined) return { space: `tool:${tool}`, entity: HOST_RULES };
  if (like === undefined) return environmentPlace(environment, HOST_RULES);
  const [closest] = await memory.related(like, { limit: 1 });
  const own = intentPlace(slugFor('', like), environment);
  return closest && closest.overlap >= CLOSE_OVERLAP ? { space: closest.space, entity: own.entity } : own;
}

/** One pass of the Dreamer; rules are worded by a template, since there is no model here. */
export async function dreamNow(memory: ArtooMemory, json: boolean): Promise<string> {
  const dreamer = memory.createDreamer({
    clock: {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      setTimeout: (callback, ms) => {
        const handle = setTimeout(callback, ms);
        return () => clearTimeout(handle);
      },
    },
  });
  const report = await dreamer.dream();
  await dreamer.close();
  await memory.flush();
  if (json) return JSON.stringify(report);
  const { forgotten, demoted, promoted } = report;
  return [
    `${forgotten.length} forgotten, ${demoted.length} demoted, ${promoted.length} made into rules`,
    ...promoted.map(({ id, why }) => `+ ${visible(id)} ${visible(why)}`),
    ...demoted.map(({ id, why }) => `- ${visible(id)} ${visible(why)}`),
  ].join('\n');
}
