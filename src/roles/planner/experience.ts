import type { Experience, MemoryReply, PlanConstraint } from '../../contracts/memory-messages.js';
import { cleanText, headTail } from '../../text/index.js';
import { constraintLine } from './constraint-line.js';

/** In characters, of what a message says of one piece of experience. */
const LONGEST_TEXT = 800;

/** A piece of experience; one that binds is held to by code, whatever the plan says. */
export interface ShownExperience extends Experience { readonly binds: boolean }

/** What memory has to say to one plan, in the order of the numbers that the prompt gives it. */
export function experienceOf({ constraints, lessons = [], lessonIds = [] }: MemoryReply): readonly ShownExperience[] {
  return [
    ...constraints.map((constraint): ShownExperience => ({ kind: constraint.kind, text: constraintLine(constraint), megramIds: [...(constraint.megramIds ?? [])], binds: doesBind(constraint) })),
    ...lessons.map((text, index): ShownExperience => {
      const id = lessonIds[index];
      return { kind: 'lesson', text, megramIds: id === undefined ? [] : [id], binds: false };
    }),
  ];
}

function doesBind({ kind, tool, target }: PlanConstraint): boolean {
  return kind === 'must_not' ? tool !== undefined || target !== undefined : kind === 'caution' && tool !== undefined && target === undefined;
}

/** As a prompt shows it. What belongs to one piece is indented, so that no text can pose as another piece. */
export function experienceLines(experience: readonly Experience[], kind: 'constraints' | 'lessons'): string {
  return experience.flatMap(({ kind: own, text }, index) => ((own === 'lesson') === (kind === 'lessons') ? [`[${index + 1}] ${text.replaceAll('\n', '\n    ')}`] : [])).join('\n');
}

/** What a plan goes by: everything that binds it, and the advice and lessons that it names by their numbers. */
export function experienceBehind(experience: readonly ShownExperience[], named: readonly number[]): readonly Experience[] {
  return experience
    .filter(({ binds }, index) => binds || named.includes(index + 1))
    .map(({ binds: _binds, ...piece }) => ({ ...piece, text: headTail(cleanText(piece.text), { max: LONGEST_TEXT }) }));
}

/** One piece in a line, for people. */
export function experienceSummary({ text, megramIds }: Experience): string {
  return `${oneLine(text, 240)}${megramIds.length > 0 ? ` (memory ${megramIds.map((id) => oneLine(id, 120)).join(', ')})` : ''}`;
}

function oneLine(text: string, max: number): string {
  return headTail(cleanText(text).replace(/\s+/g, ' ').trim(), { max }).replace(/\s*\n\s*/g, ' ');
}
