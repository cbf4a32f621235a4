/** A number as people write it: grouped by comma, space, apostrophe or underscore, with a decimal point or comma. */
const NUMBER = /\d+(?:[.,'\u2019_\u00a0\u202f ]\d+)*/g;

/** A number found in a text. `forms` are its possible readings, since 1.234 is a thousand in one country and not in another. */
export interface FoundNumber { readonly text: string; readonly index: number; readonly forms: readonly string[] }

/** Finds the numbers of a text; signs and units are left out. */
export function findNumbers(text: string): FoundNumber[] {
  const found: FoundNumber[] = [];
  for (const match of text.matchAll(NUMBER)) {
    let offset = match.index;
    for (const part of splitSpaces(match[0])) {
      const index = text.indexOf(part, offset);
      found.push({ text: part, index, forms: readings(part) });
      offset = index + part.length;
    }
  }
  return found;
}

/** "12 000" is one number, "10 20" are two: a space groups only digits in threes. */
function splitSpaces(text: string): string[] {
  if (!/[ \u00a0\u202f]/.test(text)) return [text];
  return /^\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/.test(text) ? [text] : text.split(/[ \u00a0\u202f]/);
}

/** Every value that the text may stand for, without leading and trailing zeros. */
export function readings(text: string): string[] {
  if (/^\d+$/.test(text)) return [plain(text)];
  const digits = text.replace(/['\u2019_\u00a0\u202f ]/g, '');
  const forms = new Set<string>();
  const grouped = (mark: string): boolean => new RegExp(`^\\d{1,3}(?:\\${mark}\\d{2,3})*\\${mark}\\d{3}(?!\\d)`).test(digits);
  if (!/[.,]/.test(digits)) forms.add(digits);
  if (/^\d+\.\d+$/.test(digits)) forms.add(digits);
  if (/^\d+,\d+$/.test(digits)) forms.add(digits.replace(',', '.'));
  if (grouped(',')) forms.add(digits.replaceAll(',', ''));
  if (grouped('.')) forms.add(digits.replaceAll('.', '').replace(',', '.'));
  if (forms.size === 0) forms.add(digits);
  return [...forms].map(plain);
}

function plain(digits: string): string {
  const [whole = '0', ...rest] = digits.split('.');
  if (rest.length > 1) return digits;
  const fraction = (rest[0] ?? '').replace(/0+$/, '');
  const integer = whole.replace(/^0+(?=\d)/, '');
  return fraction === '' ? integer : `${integer}.${fraction}`;
}
