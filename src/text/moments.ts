/** A date or a time of day as it stands in a text. `keys` are its possible readings. */
export interface FoundMoment { readonly text: string; readonly index: number; readonly keys: readonly string[] }

const MONTHS: readonly string[] = [
  'jan|january|januar|jänner|janvier', 'feb|february|februar|février|fév', 'mar|march|märz|mär|mars', 'apr|april|avril|avr', 'may|mai', 'jun|june|juni|juin', 'jul|july|juli|juillet',
  'aug|august|août', 'sep|sept|september|septembre', 'oct|okt|october|oktober|octobre', 'nov|november|novembre', 'dec|dez|december|dezember|décembre|déc',
];
const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(MONTHS.flatMap((names, index) => names.split('|').map((name) => [name, index + 1] as const)));
/** Longer names first, or "mar" would be found in "march". */
const MONTH = [...MONTH_NUMBERS.keys()].sort((a, b) => b.length - a.length).join('|');

const YEAR_FIRST = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g;
const YEAR_LAST = /(?<![\d.])(\d{1,2})([./-])[ ]?(\d{1,2})\2[ ]?(\d{4})(?!\d)/g;
const NAMED = new RegExp(`(?<![\\p{L}\\p{N}])(?:(\\d{1,2})(?:st|nd|rd|th|er|\\.)?[ -](?:of )?)?(${MONTH})(?![\\p{L}\\p{N}])\\.?(?:[ -](\\d{1,2})(?:st|nd|rd|th)?(?![\\d:]))?(?:,?[ -](\\d{4})(?!\\d))?`, 'giu');
const IDEOGRAPHIC = /(?:(\d{4})[年년] ?)?(\d{1,2})[月월] ?(?:(\d{1,2})[日일号])?/g;
const CLOCK = /(?<![\d:.,])(\d{1,2})(?:[:h](\d{2})(?::(\d{2}))?|\.(\d{2})(?= Uhr))(?!\d)(?:[.,]\d+)?(?: ?([ap])\.?m\b)?/gi;

/** Finds dates, as `2025-3-1`, `2025-3` or `3-1` according to what they say. */
export function findDates(text: string): FoundMoment[] {
  if (!/\d/.test(text)) return [];
  const found: FoundMoment[] = [];
  const add = (match: RegExpMatchArray, ...dates: readonly (readonly [year: string | undefined, month: number, day: string | undefined])[]): void => {
    const keys = dates.filter(([, month, day]) => month >= 1 && month <= 12 && Number(day ?? 1) >= 1 && Number(day ?? 1) <= 31).map(([year, month, day]) => dateKey(year, month, day));
    if (keys.length > 0) found.push({ text: match[0].trim(), index: match.index ?? 0, keys });
  };
  for (const match of text.matchAll(YEAR_FIRST)) add(match, [match[1], Number(match[3]), match[4]]);
  for (const match of text.matchAll(YEAR_LAST)) {
    const [, first, mark, second, year] = match;
    const dayFirst = [year, Number(second), first] as const;
    if (mark === '.') add(match, dayFirst);
    else add(match, dayFirst, [year, Number(first), second]);
  }
  for (const match of text.matchAll(NAMED)) {
    const [, before, name, after, year] = match;
    // "may" and "march" are verbs too.
    if (before === undefined && after === undefined && year === undefined) continue;
    add(match, [year, MONTH_NUMBERS.get((name ?? '').toLowerCase()) ?? 0, before ?? after]);
  }
  for (const match of text.matchAll(IDEOGRAPHIC)) if (match[1] !== undefined || match[3] !== undefined) add(match, [match[1], Number(match[2]), match[3]]);
  return found;
}

/** What a date shows besides itself: its month, and its day without the year. */
export function coarserDates(key: string): readonly string[] {
  const [year, month, day] = key.split('-');
  return day === undefined ? [] : [`${year}-${month}`, `${month}-${day}`];
}

/** Finds times of day and durations with colons, in 24 hours. A time without "am" or "pm" may be either. */
export function findTimes(text: string): FoundMoment[] {
  if (!/\d[:h.]\d/i.test(text)) return [];
  const found: FoundMoment[] = [];
  for (const match of text.matchAll(CLOCK)) {
    const [, hours = '0', colon, seconds, dotted, half] = match;
    const minutes = colon ?? dotted ?? '00';
    const hour = Number(hours);
    const possible = half === undefined ? (hour < 12 ? [hour, hour + 12] : [hour]) : [(hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)];
    found.push({ text: match[0].trim(), index: match.index, keys: possible.map((value) => `${value}:${minutes}${seconds === undefined ? '' : `:${seconds}`}`) });
  }
  return found;
}

function dateKey(year: string | undefined, month: number, day: string | undefined): string {
  return [year, String(month), day === undefined ? undefined : String(Number(day))].filter((part) => part !== undefined).join('-');
}
