/** Words that say how a number came from others that the reader sees. */
const SUM = /\b(?:total|totals|sum|altogether|together|overall|combined|in all|insgesamt|zusammen|gesamt|summe|au total)\b|[=共总總합]|합계/i;
const DIFFERENCE = /\b(?:difference|differ|more|less|fewer|left|remain(?:s|ing)?|free|down|up|increased?|decreased?|grew|grown|rose|fell|dropped|saved|over|under|unterschied|differenz|mehr|weniger|noch|übrig|différence|reste)\b|[-\u2212=]/i;
const PRODUCT = /[x×*·=]|\b(?:each|times|per|total|je)\b/i;
const AVERAGE = /\b(?:average|mean|avg|median|durchschnitt|mittel|moyenne)\b|平均/i;
const WHOLE = /\b(?:all|every|each|complete|completely|alle|tous|toutes)\b|全/i;
const MAX_OPERANDS = 16;

export interface DerivedNumber {
  readonly value: number;
  /** Half of what its last digit stands for. */
  readonly tolerance: number;
  readonly percent: boolean;
  /** The sentence or line around it. */
  readonly context: string;
}

/**
 * Is the number a sum, difference, product, mean or percentage of numbers that the same text shows and that are grounded
 * themselves, where its sentence says so? The reader can do the sum again, so it is no claim of its own.
 */
export function isDerived(number: DerivedNumber, operands: readonly number[]): boolean {
  const { context } = number;
  const shown = operands.slice(-MAX_OPERANDS);
  const fits = (value: number): boolean => Math.abs(value - number.value) <= number.tolerance + 1e-9;
  if (number.percent) return (fits(100) && WHOLE.test(context)) || pairs(shown).some(([a, b]) => ratios(a, b).some(fits));
  if (shown.length < 2) return false;
  if (SUM.test(context) && runs(shown).some((run) => fits(sum(run)))) return true;
  if (AVERAGE.test(context) && runs(shown).some((run) => fits(sum(run) / run.length))) return true;
  if (DIFFERENCE.test(context) && pairs(shown).some(([a, b]) => fits(Math.abs(a - b)))) return true;
  return PRODUCT.test(context) && pairs(shown).some(([a, b]) => fits(a * b));
}

function ratios(a: number, b: number): readonly number[] {
  const whole = a + b;
  return [b === 0 ? Number.NaN : (a / b) * 100, b === 0 ? Number.NaN : (Math.abs(a - b) / b) * 100, whole === 0 ? Number.NaN : (a / whole) * 100];
}

function pairs(values: readonly number[]): (readonly [number, number])[] {
  return values.flatMap((a, first) => values.filter((_, second) => second !== first).map((b) => [a, b] as const));
}

/** Neighbours, two and more, in the order of the text. */
function runs(values: readonly number[]): (readonly number[])[] {
  const found: (readonly number[])[] = [];
  for (let start = 0; start < values.length - 1; start += 1) for (let end = start + 2; end <= values.length; end += 1) found.push(values.slice(start, end));
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
