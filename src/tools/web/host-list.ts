import { ArtooError } from '../../contracts/errors.js';
import { hostOf } from './web-address.js';

/** Whether an address is meant by a list of hosts. */
export type HostTest = (url: URL) => boolean;

/**
 * Reads a list of `host`, `host:port` and `*.host` (every name below it, not itself). Without a port each one is meant. Throws
 * ARTOO_INVALID_ARGUMENT for an entry that is none of these: a list that silently matches nothing, or more than was meant, is worse.
 */
export function hostList(entries: readonly string[], option: string): HostTest {
  if (!Array.isArray(entries)) throw badEntry(entries, option);
  const tests = entries.map((entry) => readEntry(entry, option));
  return (url) => tests.some((test) => test(url));
}

function readEntry(entry: unknown, option: string): HostTest {
  if (typeof entry !== 'string') throw badEntry(entry, option);
  const below = entry.startsWith('*.');
  const bare = below ? entry.slice(2) : entry;
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(/^[^[\]]*:[^[\]]*:[^[\]]*$/.test(bare) ? `[${bare}]` : bare) ?? [];
  let name: string;
  try {
    if (host === '' || /[\s*/?#@\\%]/.test(host)) throw badEntry(entry, option);
    const url = new URL(`http://${host}/`);
    name = hostOf(url).replace(/\.+$/, '');
  } catch {
    throw badEntry(entry, option);
  }
  if (name === '' || (port !== undefined && Number(port) > 65_535)) throw badEntry(entry, option);
  return (url) => {
    const actual = hostOf(url);
    return (below ? actual.endsWith(`.${name}`) : actual === name) && (port === undefined || Number(port) === portOf(url));
  };
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function badEntry(entry: unknown, option: string): ArtooError {
  return new ArtooError('ARTOO_INVALID_ARGUMENT', `\`${option}\` holds ${JSON.stringify(entry) ?? String(entry)}, which names no host.`, {
    hint: 'Write a list of entries such as "example.org", "localhost:8080", "[::1]:8080" or "*.example.org".',
  });
}
