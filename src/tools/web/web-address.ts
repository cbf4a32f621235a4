import type { ArtooError } from '../../contracts/errors.js';
import { cleanText } from '../../text/index.js';
import { ToolError } from '../tool-error.js';
import { parseIp } from './ip-address.js';

/** The longest address that is followed, in characters. */
export const LONGEST_ADDRESS = 4_096;
const LONGEST_SHOWN = 300;

/** Endings of names that no public server answers to: RFC 6761, RFC 6762 with appendix G, RFC 8375, ICANN's `.internal`. */
const LOCAL_ENDINGS: readonly string[] = ['localhost', 'local', 'internal', 'home.arpa', 'intranet', 'private', 'corp', 'home', 'lan', 'localdomain'];

/**
 * Reads an address and brings it into its normal form: no fragment, no trailing dot of the host. Throws a logical ToolError for
 * anything but a plain http or https address. `base` is what a relative address is relative to.
 */
export function readAddress(text: string, base?: URL): URL {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_ADDRESS) throw badAddress(trimmed, `it is longer than ${LONGEST_ADDRESS} characters`);
  // A URL parser drops tabs and line ends without a word and reads a backslash as a slash: what people see is then another address.
  if (/[\u0000-\u0020\u007f]/.test(trimmed)) throw badAddress(trimmed, 'it has a space, tab, line end or control character in it');
  if (/^[^?#]*\\/.test(trimmed)) throw badAddress(trimmed, 'it has a backslash in it');
  let url: URL;
  try {
    url = base ? new URL(trimmed, base) : new URL(trimmed);
  } catch (cause) {
    throw badAddress(trimmed, 'it is no complete address', cause);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw badAddress(trimmed, `${url.protocol.slice(0, 20)} is neither http: nor https:`);
  if (url.username !== '' || url.password !== '') throw badAddress(withoutCredentials(url), 'it carries a user name or password');
  url.hash = '';
  if (/^\.*$/.test(url.hostname)) throw badAddress(trimmed, 'it names no host');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  return url;
}

/** The normal form of an address for people and lists; the text as it came where there is none. */
export function normalAddress(text: string): string {
  try {
    return readAddress(text).href;
  } catch {
    return text;
  }
}

/** The host without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/** What keeps a name from being a public one, in words; undefined for a public name and for an address in numbers. */
export function localName(host: string): string | undefined {
  if (parseIp(host)) return undefined;
  if (LOCAL_ENDINGS.some((ending) => host === ending || host.endsWith(`.${ending}`))) return 'a name of this machine or network';
  return host.includes('.') ? undefined : 'a name without a dot, as only local networks have';
}

/** An address as a message shows it. */
export function shownAddress(address: string | URL): string {
  const text = cleanText(typeof address === 'string' ? address : address.href);
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}

function withoutCredentials(url: URL): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}

function badAddress(text: string, why: string, cause?: unknown): ArtooError {
  return ToolError.logical(`The address ${shownAddress(text)} can't be fetched: ${why}.`, {
    hint: 'Give a whole address such as https://example.org/page.', ...(cause === undefined ? {} : { cause }),
  });
}
