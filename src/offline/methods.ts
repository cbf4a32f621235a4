import { placesOf, type OfflineRequest } from './requests.js';

/** What a tool is good for, as far as this model can use it. */
export type Skill = 'list' | 'glob' | 'grep' | 'read' | 'write';
/** A tool as a prompt or a request offers it. */
export interface OfferedTool { readonly name: string; readonly description: string; readonly inputs: readonly string[] }
/** The tool to use for each skill that is offered. */
export type Skills = ReadonlyMap<Skill, string>;

const SIGNS: readonly (readonly [skill: Skill, name: RegExp, description: RegExp, inputs: readonly string[]])[] = [
  ['write', /^(?:writeFile|write_file|write)$/, /\bwrites?\b.*\bfile/i, ['path', 'content']],
  ['grep', /^(?:grep|searchText|search_text)$/, /\bsearch(?:es)?\b.*\blines\b/i, ['pattern']],
  ['glob', /^(?:glob|findFiles|find_files)$/, /\bfinds?\b.*\bfiles\b.*\bpattern\b/i, ['pattern']],
  ['list', /^(?:listFiles|list_files|listFolder|ls)$/, /\blists?\b.*\b(?:folder|directory)\b/i, ['path']],
  ['read', /^(?:readFile|read_file|read|cat)$/, /\breads?\b.*\bfile/i, ['path']],
];

const CHANGES = /^(?:content|text|edits?|patch|replace|replacement|new\w*|to|destination)$/i;

/** Which of the offered tools serves for what: by its name, else by its description; it must take the inputs needed. */
export function skillsOf(tools: readonly OfferedTool[]): Skills {
  const skills = new Map<Skill, string>();
  for (const [skill, name, description, inputs] of SIGNS) {
    // A tool that takes what is to be written changes files, whatever else its description says.
    const fit = tools.filter((tool) => inputs.every((input) => tool.inputs.includes(input)) && (skill === 'write' || !tool.inputs.some((input) => CHANGES.test(input))));
    const found = fit.find((tool) => name.test(tool.name)) ?? fit.find((tool) => description.test(tool.description) && ![...skills.values()].includes(tool.name));
    if (found) skills.set(skill, found.name);
  }
  return skills;
}

/** Ways to a request, best first. The first skill of each is the one that its success shows in. */
export function methodsFor(request: OfflineRequest): readonly (readonly Skill[])[] {
  return addLookup(request, plainMethods(request));
}

function plainMethods(request: OfflineRequest): readonly (readonly Skill[])[] {
  switch (request.kind) {
    case 'write report': return [['write']];
    case 'count files':
    case 'find files': return [['glob', 'list'], ['glob'], ['list']];
    case 'list folder': return [['list'], ['glob']];
    case 'count lines':
    case 'count words': return request.matching === undefined ? [['read'], ['grep']] : [['read', 'glob'], ['read', 'list'], ['grep']];
    case 'summarise file': return [['read', 'grep'], ['read'], ['grep']];
    case 'show file':
    case 'compare files': return [['read'], ['grep']];
    case 'compare counts': return pairs(plainMethods(request.left), plainMethods(request.right));
    default: return [['grep', 'list'], ['grep'], ['read', 'glob'], ['read', 'list']];
  }
}

function pairs(left: readonly (readonly Skill[])[], right: readonly (readonly Skill[])[]): readonly (readonly Skill[])[] {
  const joined = left.flatMap((one) => right.map((other) => [...new Set([...one, ...other])]));
  return [...new Map(joined.map((method) => [[...method].sort().join(), method])).values()];
}

/** Where a place must first be found, a tool that finds names comes in. */
function addLookup(request: OfflineRequest, methods: readonly (readonly Skill[])[]): readonly (readonly Skill[])[] {
  if (placesOf(request).every(({ search }) => search === 'exact')) return methods;
  const finders: readonly Skill[] = ['glob', 'list'];
  return methods.flatMap((method) => (finders.some((finder) => method.includes(finder)) ? [method] : finders.map((finder) => [...method, finder])));
}

/** The first way for which there are tools. */
export function pickMethod(request: OfflineRequest, skills: Skills): readonly Skill[] | undefined {
  return methodsFor(request).find((method) => method.every((skill) => skills.has(skill)));
}
