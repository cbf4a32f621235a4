const URLS = /\bhttps?:\/\/[^\s"'<>`\u3000-\u303f\uff00-\uffef]+/giu;
/** Marks that end a sentence or a bracket rather than an address. */
const AFTER_URL = /[.,;:!?)\]}*_]+$/;
const WORDS = /[\p{L}\p{N}_]+/gu;
const BEYOND_SENTENCES = /[^\s"'.,:;!?()+&/\u00b4\u2018-\u201d\u2013-\u2014\u3000-\u303f\uff00-\uff1f-]/u;
const WRITTEN_WITHOUT_SPACES = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/gu;

/**
 * Did one of the trusted texts name this? An address counts when the very same address stands in one of them, any other
 * text when it stands there as it is or is made of words that do: nothing is then said that wasn't known to be meant.
 */
export function isNamed(text: string, trusted: readonly string[]): boolean {
  const wanted = text.trim();
  if (wanted === '') return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(wanted)) {
    const address = normalUrl(wanted);
    return trusted.some((source) => urlsIn(source).some((known) => normalUrl(known) === address));
  }
  if (trusted.some((source) => standsIn(wanted, source))) return true;
  const known = new Set(trusted.flatMap(wordsOf));
  // Marks beyond those of plain sentences could carry anything.
  return !BEYOND_SENTENCES.test(wanted.replace(WORDS, '')) && wordsOf(wanted).every((word) => known.has(word));
}

/** As a whole: not as a part of a longer word. */
function standsIn(wanted: string, source: string): boolean {
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + 1)) {
    const before = source[at - 1] ?? ' ';
    const after = source[at + wanted.length] ?? ' ';
    if (!/[\p{L}\p{N}_/]/u.test(before) && !/[\p{L}\p{N}_/?#&=%]/u.test(after)) return true;
  }
  return false;
}

function urlsIn(text: string): readonly string[] {
  return (text.match(URLS) ?? []).map((url) => url.replace(AFTER_URL, ''));
}

/** Without the fragment, which is never sent. */
function normalUrl(text: string): string {
  try {
    const url = new URL(text);
    url.hash = '';
    return url.href.replace(/\/$/, '');
  } catch {
    return text;
  }
}

function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(WORDS) ?? []).flatMap((word) => {
    const single = word.match(WRITTEN_WITHOUT_SPACES);
    return single ? [...single, ...word.replace(WRITTEN_WITHOUT_SPACES, ' ').split(' ').filter((part) => part !== '')] : [word];
  });
}
