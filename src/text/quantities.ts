import { findNumbers } from './numbers.js';

/** What a unit measures; `count` is no unit but a multiple, as in 1.2k. */
type Dimension = 'count' | 'bytes' | 'time' | 'length' | 'mass' | 'frequency';

/** A unit as written, and what one of it comes to in its dimension's base unit. Bytes come in thousands and in 1,024s. */
interface Unit { readonly dimension: Dimension; readonly factors: readonly number[] }

/** A number of a text with what it stands for. */
export interface Quantity {
  readonly text: string;
  readonly index: number;
  /** The number's readings, as in {@link findNumbers}. */
  readonly forms: readonly string[];
  readonly percent: boolean;
  readonly units: readonly Unit[];
}

const bytes = (power: number): Unit => ({ dimension: 'bytes', factors: power === 0 ? [1] : [1_000 ** power, 1_024 ** power] });
const of = (dimension: Dimension, factor: number): Unit => ({ dimension, factors: [factor] });
const TABLE: readonly (readonly [names: string, ...units: Unit[]])[] = [
  ['b byte bytes octet octets', bytes(0)], ['kb kib ko kilobyte kilobytes', bytes(1)], ['mb mib mo megabyte megabytes', bytes(2)], ['gb gib go gigabyte gigabytes', bytes(3)], ['tb tib to terabyte terabytes', bytes(4)],
  ['k', of('count', 1e3), bytes(1)], ['m', of('count', 1e6), bytes(2), of('time', 60), of('length', 1)], ['g', bytes(3), of('mass', 1)], ['t', bytes(4)],
  ['thousand tausend mille 千', of('count', 1e3)], ['million millions millionen mio', of('count', 1e6)], ['bn billion billions milliarde milliarden mrd milliards', of('count', 1e9)],
  ['万 萬', of('count', 1e4)], ['亿 億', of('count', 1e8)], ['百万', of('count', 1e6)],
  ['ns', of('time', 1e-9)], ['µs us μs', of('time', 1e-6)], ['ms millisecond milliseconds millisekunden', of('time', 1e-3)], ['s sec secs second seconds sekunden secondes 秒', of('time', 1)],
  ['min mins minute minutes minuten 分钟', of('time', 60)], ['h hr hrs hour hours stunden heures 小时', of('time', 3_600)], ['d day days tage jours 天', of('time', 86_400)],
  ['mm', of('length', 1e-3)], ['cm', of('length', 1e-2)], ['km', of('length', 1e3)], ['kg', of('mass', 1e3)], ['hz', of('frequency', 1)], ['khz', of('frequency', 1e3)], ['mhz', of('frequency', 1e6)], ['ghz', of('frequency', 1e9)],
];
const UNITS: ReadonlyMap<string, readonly Unit[]> = new Map(TABLE.flatMap(([names, ...units]) => names.split(' ').map((name) => [name, units] as const)));
const UNIT_AFTER = /^[ \u00a0\u202f-]?(百万|[万萬亿億千秒天]|分钟|小时|[A-Za-zµμ]{1,12})(?![\p{Script=Latin}_])/u;
const PERCENT_AFTER = /^[ \u00a0\u202f]?(?:[%％‰]|percent\b|per cent\b|Prozent\b|pour cent\b)/i;
/** 1h30m, 0m12.304s: one duration of several numbers. */
const COMPOSITE = /(?<![\w.])(?:(\d+) ?h ?)?(?:(\d+) ?m(?:in)? ?)(?:(\d+(?:\.\d+)?) ?s)?(?![\w])|(?<![\w.])(\d+) ?h ?(\d+(?:\.\d+)?) ?s(?!\w)/g;
const EXPONENT = /(?<![\w.])(\d+(?:\.\d+)?)(?:[eE]\+?|[×x*] ?10\^)(-?\d{1,3})(?!\w)/g;

/** Finds the numbers of a text with their percent signs, multiples and units. */
export function findQuantities(text: string): Quantity[] {
  return findNumbers(text).map((number) => {
    const after = text.slice(number.index + number.text.length, number.index + number.text.length + 16);
    const name = UNIT_AFTER.exec(after)?.[1] ?? '';
    return { ...number, percent: PERCENT_AFTER.test(after), units: UNITS.get(name) ?? UNITS.get(name.toLowerCase()) ?? [] };
  });
}

/** The numbers of a text in base units, and durations of several parts. */
export function* baseValues(text: string): Generator<readonly [Dimension | 'bare', number]> {
  for (const { forms, units } of findQuantities(text)) {
    for (const form of forms) {
      const value = Number(form);
      if (!Number.isFinite(value)) continue;
      yield ['bare', value];
      for (const unit of units) for (const factor of unit.factors) yield [unit.dimension, value * factor];
    }
  }
  if (/\d ?[hm]/.test(text)) {
    for (const [, hours = '0', minutes = '0', seconds = '0', onlyHours, onlySeconds] of text.matchAll(COMPOSITE)) {
      yield ['time', onlyHours === undefined ? Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) : Number(onlyHours) * 3_600 + Number(onlySeconds)];
    }
  }
  for (const [, mantissa, power] of findPowers(text)) yield ['bare', Number(`${mantissa}e${power}`)];
}

/** Numbers in scientific form: 1.5e6, 1.5×10^6. */
export function findPowers(text: string): RegExpExecArray[] {
  return /\d ?[eE×x*]/.test(text) ? [...text.matchAll(EXPONENT)] : [];
}
