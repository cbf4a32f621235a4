import { isDerived } from './derived-numbers.js';
import { plainNumber, type GroundingSources } from './grounding-sources.js';
import { findPowers, findQuantities, type Quantity } from './quantities.js';

interface NumberCheck {
  /** The text without what was looked at before. */
  readonly text: string;
  readonly original: string;
  readonly sources: GroundingSources;
  /** The lengths of the lists in the output, for an output that is no text. */
  readonly lengths: readonly number[];
  readonly limit: number;
}

/** An ordinal; a numbered step, item, section or footnote; the number of a list at the beginning of its line. */
const ORDINAL_AFTER = /^(?:st|nd|rd|th|\.|\)|\uFE0F?\u20E3)(?![\p{L}\p{N}])/u;
const ORDINAL_BEFORE = /(?:^|\n)[ \t]*(?:#{1,6}[ \t]+)?(?:[-*>][ \t]+)?\**\(?$/;
const NUMBERED = /(?:step|item|option|point|part|section|phase|no\.|schritt|punkt|teil|nr\.|étape|步骤|第)[ \t]*$/i;
const FIRST_COLUMN = /\|[ \t]*(?:#|No\.?|Nr\.?|Rank|Rang)[ \t]*\|/i;
const ABOUT = /(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.|some|etwa|rund|ungefähr|knapp|environ|nearly|almost|just under|just over|more than|over|at least|less than|under|up to)|[~≈约約]|大约|大約|近)[ \t]*$/i;
const MAX_ABOUT = 0.1;
const MAX_UNIT_ERROR = 0.06;
const CONTEXT = 160;

/** The numbers of a text that no source shows, in any spelling, unit or sum. */
export function checkNumbers(check: NumberCheck): { readonly at: number; readonly flag: string }[] {
  const { original, sources } = check;
  if (!/\p{N}/u.test(check.text)) return [];
  const found: { at: number; flag: string }[] = [];
  const shown: number[] = [];
  const open: Quantity[] = [];
  const bullets = original.match(/^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]/gm)?.length ?? 0;
  let text = check.text;
  for (const power of findPowers(text)) {
    const value = Number(`${power[1]}e${power[2]}`);
    if (!sources.holdsNumber(plainNumber(value))) found.push({ at: power.index, flag: power[0] });
    text = text.slice(0, power.index) + ' '.repeat(power[0].length) + text.slice(power.index + power[0].length);
    if (found.length >= check.limit) return found;
  }
  for (const quantity of findQuantities(text)) {
    if (open.length >= check.limit * 4) break;
    const before = text.slice(Math.max(0, quantity.index - 24), quantity.index);
    const after = text.slice(quantity.index + quantity.text.length, quantity.index + quantity.text.length + 8);
    if (isOrdinal(quantity.text, before, after, text) || (quantity.text === '24' && after.startsWith('/7')) || (quantity.text === '7' && before.endsWith('24/'))) continue;
    if (isShown(quantity, before, sources)) shown.push(valueOf(quantity));
    else if (!isCount(quantity, after, check, bullets)) open.push(quantity);
  }
  for (const quantity of open) {
    const near = { value: valueOf(quantity), tolerance: halfOf(decimalsOf(quantity)), percent: quantity.percent, context: sentenceAround(original, quantity.index) };
    if (!isDerived(near, shown)) found.push({ at: quantity.index, flag: quantity.text + (quantity.percent ? '%' : '') });
  }
  return found;
}

function isOrdinal(digits: string, before: string, after: string, text: string): boolean {
  if (!/^\d{1,2}$/.test(digits)) return false;
  if (/^(?:st|nd|rd|th)(?![\p{L}\p{N}])/u.test(after) || /^\uFE0F?\u20E3/.test(after)) return true;
  if (NUMBERED.test(before) || (before.endsWith('[') && after.startsWith(']')) || (before.endsWith('[^') && after.startsWith(']'))) return true;
  if (/(?:^|\n)[ \t]*\|[ \t]*$/.test(before) && /^[ \t]*\|/.test(after) && FIRST_COLUMN.test(text)) return true;
  return ORDINAL_BEFORE.test(before) && ORDINAL_AFTER.test(after);
}

function isShown(quantity: Quantity, before: string, sources: GroundingSources): boolean {
  const about = ABOUT.exec(before)?.[0];
  for (const form of quantity.forms) {
    if (sources.holdsNumber(form)) return true;
    const value = Number(form);
    if (!Number.isFinite(value)) {
      if (sources.text.includes(form)) return true;
      continue;
    }
    const decimals = form.split('.')[1]?.length ?? 0;
    const half = halfOf(decimals);
    if (quantity.percent) {
      if (sources.holdsNumber(plainNumber(Number((value / 100).toFixed(8)))) || sources.holdsValue('bare', value - half, value + half)) return true;
      if (decimals > 0 && sources.holdsValue('bare', (value - half) / 100, (value + half) / 100)) return true;
      continue;
    }
    if (decimals > 0 && (sources.holdsValue('bare', value - half, value + half) || sources.holdsNumber(plainNumber(Number((value * 100).toFixed(6)))))) return true;
    // A whole number stands for a decimal where it measures something.
    if (decimals === 0 && (quantity.units.length > 0 || /[°]/.test(before)) && sources.holdsValue('bare', value - 0.4999, value + 0.5) && value >= 10) return true;
    if (holdsInUnits(quantity, value, half, sources)) return true;
    if (about !== undefined && isAbout(about, value, form, sources)) return true;
  }
  return false;
}

/** 1.2k, 3.6 million, 1 MiB, 90 minutes: what the unit makes of it, rounded as it is written. */
function holdsInUnits(quantity: Quantity, value: number, half: number, sources: GroundingSources): boolean {
  return quantity.units.some((unit) => unit.factors.some((factor) => {
    const base = value * factor;
    const error = Math.min(half * factor, base * MAX_UNIT_ERROR);
    if (sources.holdsValue(unit.dimension, base - error, base + error)) return true;
    const rounded = unit.dimension === 'count' || unit.dimension === 'bytes' || !Number.isInteger(value);
    return rounded ? sources.holdsValue('bare', base - error, base + error) : sources.holdsNumber(plainNumber(base));
  }));
}

function isAbout(word: string, value: number, form: string, sources: GroundingSources): boolean {
  const zeros = /\./.test(form) ? 0 : (/0*$/.exec(form)?.[0].length ?? 0);
  const place = Math.min(10 ** zeros, value * MAX_ABOUT);
  const low = /more than|over|at least/i.test(word) ? value : value - place;
  const high = /nearly|almost|under|less than|up to|knapp|近/i.test(word) ? value : value + place;
  return zeros > 0 && sources.holdsValue('bare', low === value ? low : Math.max(low, value - place / (high === value ? 1 : 2)), high === value ? high : Math.min(high, low === value ? value + place : value + place / 2));
}

function isCount(quantity: Quantity, after: string, check: NumberCheck, bullets: number): boolean {
  const value = valueOf(quantity);
  if (!/^\d+$/.test(quantity.text) || value < 1 || quantity.percent) return false;
  const counted = /^[ \t]+\p{L}|^\p{Script=Han}/u.test(after) || check.original.trim() === quantity.text;
  return counted && (check.sources.lists(value) || (value > 1 && bullets === value) || check.lengths.includes(value));
}

function valueOf(quantity: Quantity): number {
  return Number(quantity.forms[0] ?? Number.NaN);
}

function decimalsOf(quantity: Quantity): number {
  return quantity.forms[0]?.split('.')[1]?.length ?? 0;
}

/** Half of what the last digit stands for. */
function halfOf(decimals: number): number {
  return 0.5 * 10 ** -decimals;
}

function sentenceAround(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - CONTEXT), index).split(/[\n]|[.!?](?=\s)/).at(-1) ?? '';
  const after = text.slice(index, index + CONTEXT).split(/[\n]|[.!?](?=\s)/)[0] ?? '';
  return before + after;
}
