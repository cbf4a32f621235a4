const URLS = /\bhttps?:\/\/[^\s"'<>`\u3000-\u303f\uff00-\uffef]+/giu;
/** Marks that end a sentence or a bracket rather than an address. */
const AFTER_URL = /[.,;:!?)\]}*_]+$/;
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;
const WRITTEN_WITHOUT_SPACES = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/gu;
/** Between words: one or two blanks, line ends or marks of scripts with wide ones. More could be counted. */
const GAP = /[ \t\n\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]{1,2}/u;
const OPENING = /^["'(\u00ab\u2018\u201c\u201e]{1,2}/u;
const CLOSING = /["'.,:;!?)\u00bb\u2019\u201d\u2026]{1,3}$/u;
const HYPHEN = /[-'\u2010\u2013\u2019]/u;
/** A mark that stands alone between two words. */
const LONE_MARK = /^[-\u2013\u2014&+/|]$/u;
const MOST_LONE_MARKS = 3;
const MOST_BLANKS_AROUND = 2;

/**
 * Did one of the trusted texts name this? An address counts when it stands in one of them, as it was written or in its
 * normal form; any other text when it stands there as it is or is made of words that do, each no more often than there.
 * Case, marks and blanks are held to what plain sentences need: whatever is free could carry something out.
 */
export function isNamed(text: string, trusted: readonly string[]): boolean {
  const wanted = text.trim();
  if (text.length - wanted.length > MOST_BLANKS_AROUND) return false;
  if (wanted === '') return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(wanted)) return trusted.some((source) => urlsIn(source).some((known) => spellings(known).has(wanted)));
  if (trusted.some((source) => standsIn(wanted, source))) return true;
  const known = new KnownWords(trusted);
  const whole = new Set<string>();
  let loneMarks = 0;
  return wanted.split(GAP).every((token, index, tokens) => {
    // A wide full stop is a gap with nothing behind it.
    if (token === '') return index > 0 && index === tokens.length - 1;
    if (LONE_MARK.test(token)) return ++loneMarks <= MOST_LONE_MARKS;
    const core = token.replace(OPENING, '').replace(CLOSING, '');
    const parts = core.split(HYPHEN);
    if (parts.every(isWord)) return parts.every((part) => known.take(part));
    // Names with marks in them, such as a file or a host, are no words to be put together.
    if (core === '' || whole.has(core)) return false;
    whole.add(core);
    return trusted.some((source) => standsIn(core, source) || standsIn(core, source.toLowerCase()));
  });
}

function isWord(text: string): boolean {
  return text !== '' && text.replace(WORDS, '') === '';
}

/** The words of the trusted texts, each to be taken as often as it stands there. */
class KnownWords {
  private readonly left = new Map<string, number>();
  private readonly forms = new Set<string>();

  constructor(trusted: readonly string[]) {
    for (const word of trusted.flatMap(wordsOf)) {
      const lower = word.toLowerCase();
      this.left.set(lower, (this.left.get(lower) ?? 0) + 1);
      // As it stands there, small, and as at the beginning of a sentence; any other case is a message of its own.
      this.forms.add(word).add(lower).add(lower.charAt(0).toUpperCase() + lower.slice(1));
    }
  }

  take(text: string): boolean {
    return wordsOf(text).every((word) => {
      const lower = word.toLowerCase();
      const left = this.left.get(lower) ?? 0;
      this.left.set(lower, left - 1);
      return left > 0 && this.forms.has(word);
    });
  }
}

/** As a whole: not as a part of a longer word, name or address. */
function standsIn(wanted: string, source: string): boolean {
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + 1)) {
    const before = source.slice(Math.max(0, at - 2), at);
    const after = source.slice(at + wanted.length, at + wanted.length + 2);
    if (!/[\p{L}\p{N}\p{M}_/]$|[\p{L}\p{N}][.:@-]$/u.test(before) && !/^[\p{L}\p{N}\p{M}_/?#&=%]|^[.:@-][\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

function urlsIn(text: string): readonly string[] {
  return (text.match(URLS) ?? []).map((url) => url.replace(AFTER_URL, ''));
}

/**
 * How an address may be written that was named. What a call sends is compared as it is, since many spellings of one
 * address (its case, a detour through folders, a fragment) would have room for a message.
 */
function spellings(known: string): ReadonlySet<string> {
  const found = new Set([known]);
  try {
    const url = new URL(known);
    found.add(url.href);
    url.hash = '';
    found.add(url.href);
  } catch {
    // Only as it was written.
  }
  for (const address of [...found]) found.add(address.replace(/\/$/, ''));
  return found;
}

function wordsOf(text: string): readonly string[] {
  return (text.match(WORDS) ?? []).flatMap((word) => {
    const single = word.match(WRITTEN_WITHOUT_SPACES);
    return single ? [...single, ...word.replace(WRITTEN_WITHOUT_SPACES, ' ').split(' ').filter((part) => part !== '')] : [word];
  });
}
