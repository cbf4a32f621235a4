import { readCanonical } from './canonical.js';
import { dataOf, sectionOf, withoutData } from './prompt-text.js';
import type { Part } from './requests.js';

/** A subtask of the last round that failed, and why. */
export interface FailedPart { readonly part: Part; readonly why: string }
/** What a replan prompt tells. */
export interface Replan {
  readonly directive: string;
  readonly blockedTools: readonly string[];
  readonly blockedTargets: readonly string[];
  readonly failed: readonly FailedPart[];
  /** Matched subtasks that may be kept, by index. */
  readonly keepable: ReadonlyMap<number, Part>;
}

/** Reads the directive of a failed round; undefined on the first plan. */
export function readReplan(prompt: string): Replan | undefined {
  const own = withoutData(prompt);
  const directive = /\n\nThe last plan failed\. Directive: (\w+)\./.exec(own)?.[1];
  if (directive === undefined) return undefined;
  const details = dataOf(prompt, 'what failed') ?? '';
  return {
    directive,
    blockedTools: (/^MUST NOT use tools: (.+)$/m.exec(own)?.[1] ?? '').split(', ').filter((tool) => tool !== ''),
    blockedTargets: [...readTargets(details), ...readPairs(details)],
    failed: readFailed(details),
    keepable: readKeepable(dataOf(prompt, 'matched') ?? ''),
  };
}

/** What an earlier reply of the same planning was refused for. */
export function readRefusals(messages: readonly { readonly role: string; readonly content: string }[]): { readonly tools: readonly string[]; readonly targets: readonly string[] } {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => /Your last reply could not be used: ([\s\S]*)$/.exec(content)?.[1] ?? '').join('\n');
  return {
    tools: [...said.matchAll(/tool "([^"]+)" must not be used/g)].map(([, tool]) => tool!),
    targets: [...said.matchAll(/target "([^"]+)" failed before/g)].map(([, target]) => target!),
  };
}

function readTargets(details: string): string[] {
  const text = /^MUST NOT use targets: (\[.*\])$/m.exec(details)?.[1];
  if (text === undefined) return [];
  try {
    return (JSON.parse(text) as unknown[]).map(String);
  } catch {
    return [];
  }
}

function readPairs(details: string): string[] {
  return (/^MUST NOT call: (.+)$/m.exec(details)?.[1] ?? '').split('; ').flatMap((pair) => /^\S+ on (.+)$/.exec(pair)?.[1] ?? []);
}

function readFailed(details: string): FailedPart[] {
  const start = details.indexOf('What failed:\n');
  if (start < 0) return [];
  const failed: { part: Part; why: string }[] = [];
  for (const line of details.slice(start + 'What failed:\n'.length).split('\n')) {
    const read = line.startsWith('- ') ? readLabelled(line.slice(2)) : undefined;
    const last = failed.at(-1);
    if (read) failed.push({ part: read.part, why: read.rest });
    else if (last) last.why += `\n${line}`;
  }
  return failed;
}

function readKeepable(block: string): Map<number, Part> {
  const keepable = new Map<number, Part>();
  for (const line of block.split('\n')) {
    const match = /^\[(\d+)\] (.*)$/.exec(line);
    const read = match ? readLabelled(match[2]!) : undefined;
    // Outputs may hold lines like these; the first of each index is the prompt's own.
    if (match && read && !keepable.has(Number(match[1]))) keepable.set(Number(match[1]), read.part);
  }
  return keepable;
}

/** `Canonical (…): rest`. */
function readLabelled(line: string): { readonly part: Part; readonly rest: string } | undefined {
  for (let at = line.indexOf('):'); at >= 0; at = line.indexOf('):', at + 1)) {
    const part = readCanonical(line.slice(0, at + 1));
    if (part) return { part, rest: line.slice(at + 2).trim() };
  }
  return undefined;
}

/** The tools of a prompt: `- name(inputs): description`. */
export function offeredTools(prompt: string): { readonly name: string; readonly description: string; readonly inputs: readonly string[] }[] {
  return (sectionOf(prompt, 'Tools:') ?? '').split('\n').flatMap((line) => {
    const match = /^- ([\w.-]+)\(([^)]*)\): ?(.*)$/.exec(line);
    return match ? [{ name: match[1]!, inputs: match[2]!.split(', ').filter((input) => input !== ''), description: match[3]! }] : [];
  });
}
