import type { GroundingSources } from './grounding-sources.js';

/** An identifier of a text, and how it is looked up. */
export interface FoundName { readonly text: string; readonly index: number; shownBy(sources: GroundingSources): boolean }

const LETTER = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}';
/** snake_case, camelCase, calls, and words that mix letters with digits (versions, hashes, ticket numbers). */
const NAME = new RegExp(`(?<![${LETTER}\\p{N}_.])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Za-z][\\w.]{0,200}\\(\\)|[${LETTER}\\p{N}]+(?:[-.:][${LETTER}\\p{N}]+)*)`, 'gu');
/** Names that everyone uses: standards, products, formats. */
const KNOWN = /^(?:utf-?\d{1,2}(?:le|be)?|sha-?\d{1,3}|md5|base(?:16|32|58|64)(?:url)?|ipv[46]|http\/?\d?|es\d{1,4}|x86(?:_64)?|x64|arm64|amd64|mp[34]|h\.?26[45]|macos|ios|ipados|watchos|iphone|ipad|ebay|k8s|i18n|l10n|a11y|html5|css3|oauth2?|s3|ec2|e2e|b2b|b2c|p2p|co2|h2o|[23]d|[48]k|[345]g|ph|phd|wifi|javascript|typescript|github|gitlab|postgresql|mysql|graphql|mongodb|nosql|devops|yaml|openai)$/i;
const UNIT = /^\d[\d.,]*(?:st|nd|rd|th|[\p{L}%]{1,3}|px|bytes|times|[kmg]i?b|[kmg]bps|fps|dpi|mins?|secs?|hours?|days?)$/iu;
const COMBINED = /^\d+(?:\.\d+)?[a-z]{1,3}(?:\d+(?:\.\d+)?[a-z]{1,3})+$|^\d+[x×]\d+$|^\d+-\p{L}+$|^\d+(?:[eE]\d+)$/iu;
const HASH_BEFORE = /\b(?:commit|hash|sha|revision|rev)[ :#]*$/i;

export function isKnownName(name: string): boolean {
  return KNOWN.test(name);
}

/** The identifiers of a text. Plain words are none, and a number with its unit (`5MB`) counts as a number. */
export function* namesIn(text: string): Generator<FoundName> {
  if (!/[\p{N}_]|[a-z][A-Z]|\(\)|commit|hash|sha|rev/iu.test(text)) return;
  for (const match of text.matchAll(NAME)) {
    const [name] = match;
    const hash = /^[0-9a-f]{7,40}$/i.test(name) && HASH_BEFORE.test(text.slice(Math.max(0, match.index - 12), match.index));
    if (!hash && !isName(name)) continue;
    if (/\p{L}$/u.test(name) === false && /^\s?%/.test(text.slice(match.index + name.length, match.index + name.length + 2))) continue;
    yield { text: name, index: match.index, shownBy: (sources) => isShown(name, sources) };
  }
}

function isName(word: string): boolean {
  if (UNIT.test(word) || COMBINED.test(word)) return false;
  if (/_/.test(word) || /\(\)$/.test(word) || (/\p{L}/u.test(word) && /\p{N}/u.test(word))) return true;
  if (/^[a-z]+[A-Z]/.test(word)) return true;
  // Versions and addresses of three and more numbers.
  return /^\d+(?:-\d+){2,}$|^\d+(?:[:.]\d+){2,}$/.test(word);
}

function isShown(name: string, sources: GroundingSources): boolean {
  if (KNOWN.test(name)) return true;
  const bare = name.replace(/\(\)$/, '').replace(/^v(?=\d)/i, '');
  // A hash is often shortened.
  if (/^[0-9a-f]{7,40}$/i.test(bare) && sources.holdsWord(bare, { prefix: true })) return true;
  if (sources.holdsWord(bare) || (/^\d/.test(bare) && sources.holdsWord(`v${bare}`))) return true;
  return /[-]/.test(bare) && /\d/.test(bare) && sources.holdsWord(bare.replaceAll('-', ' '));
}
