/** An address as its bytes: 4 of IPv4, 16 of IPv6. */
export type IpBytes = readonly number[];

interface Range { readonly prefix: IpBytes; readonly bits: number; readonly kind: string }

/**
 * Where no page of the public web lives: the special-purpose registry of IANA (RFC 6890) for IPv4, and the addresses that
 * reach into a private network by another way.
 */
const IPV4_RANGES: readonly Range[] = ranges([
  ['0.0.0.0/8', 'an unspecified address'], // RFC 1122
  ['10.0.0.0/8', 'a private address'], // RFC 1918
  ['100.64.0.0/10', 'an address behind a shared gateway'], // RFC 6598
  ['127.0.0.0/8', 'a loopback address'], // RFC 1122
  ['168.63.129.16/32', 'the address of a cloud\'s own services'], // Azure; inside a public range
  ['169.254.0.0/16', 'a link-local address'], // RFC 3927
  ['172.16.0.0/12', 'a private address'], // RFC 1918
  ['192.0.0.0/24', 'a reserved address'], // RFC 6890
  ['192.0.2.0/24', 'an address for documentation'], // RFC 5737
  ['192.88.99.0/24', 'a reserved address'], // RFC 7526
  ['192.168.0.0/16', 'a private address'], // RFC 1918
  ['198.18.0.0/15', 'an address for benchmarks'], // RFC 2544
  ['198.51.100.0/24', 'an address for documentation'], // RFC 5737
  ['203.0.113.0/24', 'an address for documentation'], // RFC 5737
  ['224.0.0.0/4', 'a multicast address'], // RFC 5771
  ['240.0.0.0/4', 'a reserved address'], // RFC 1112, RFC 919
]);

const IPV6_RANGES: readonly Range[] = ranges([
  ['::/128', 'an unspecified address'], // RFC 4291
  ['::1/128', 'a loopback address'], // RFC 4291
  ['::ffff:0:0/96', 'an IPv4-mapped address'], // RFC 4291
  ['::ffff:0:0:0/96', 'an IPv4-translated address'], // RFC 2765
  ['::/96', 'an IPv4-compatible address'], // RFC 4291
  ['64:ff9b::/96', 'a NAT64 address'], // RFC 6052
  ['64:ff9b:1::/48', 'a NAT64 address'], // RFC 8215
  ['100::/64', 'a discarded address'], // RFC 6666
  ['100:0:0:1::/64', 'a reserved address'], // RFC 9780
  ['2001::/32', 'a Teredo address'], // RFC 4380
  ['2001:2::/48', 'an address for benchmarks'], // RFC 5180
  ['2001:10::/28', 'a reserved address'], // RFC 4843
  ['2001:20::/28', 'a reserved address'], // RFC 7343
  ['2001::/23', 'a reserved address'], // RFC 2928
  ['2001:db8::/32', 'an address for documentation'], // RFC 3849
  ['2002::/16', 'a 6to4 address'], // RFC 3056
  ['3fff::/20', 'an address for documentation'], // RFC 9637
  ['5f00::/16', 'a reserved address'], // RFC 9602
  ['fc00::/7', 'a private address'], // RFC 4193
  ['fe80::/10', 'a link-local address'], // RFC 4291
  ['fec0::/10', 'a site-local address'], // RFC 3879
  ['ff00::/8', 'a multicast address'], // RFC 4291
]);
/** What is not in here is no unicast address that anyone was given: RFC 3587. */
const IPV6_PUBLIC: Range = ranges([['2000::/3', 'public']])[0]!;

/** What keeps an address from being public, in words; undefined for a public one. What can't be read is never public. */
export function privateKind(address: string): string | undefined {
  const bytes = parseIp(address);
  if (!bytes) return 'no address that can be read';
  if (bytes.length === 4) return IPV4_RANGES.find((range) => within(bytes, range))?.kind;
  return IPV6_RANGES.find((range) => within(bytes, range))?.kind ?? (within(bytes, IPV6_PUBLIC) ? undefined : 'a reserved address');
}

/** The bytes of an address in its usual spelling (four decimal numbers, or groups with `:`); undefined for anything else. */
export function parseIp(text: string): IpBytes | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): IpBytes | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes = parts.map((part) => (/^(?:0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256));
  return bytes.every((byte) => byte < 256) ? bytes : undefined;
}

function parseIpv6(text: string): IpBytes | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = [readGroups(halves[0]!, halves.length === 1), halves.length === 2 ? readGroups(halves[1]!, true) : []];
  if (!head || !tail) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

/** The groups between colons as bytes; the very last of an address may be an IPv4 address. */
function readGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (last && group.includes('.') && index === groups.length - 1) {
      const embedded = parseIpv4(group);
      if (!embedded) return undefined;
      bytes.push(...embedded);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    }
  }
  return bytes;
}

function within(bytes: IpBytes, { prefix, bits }: Range): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 255 : (255 << (8 - (bits - bit))) & 255;
    if (((bytes[bit / 8] ?? 0) & mask) !== ((prefix[bit / 8] ?? 0) & mask)) return false;
  }
  return true;
}

function ranges(list: readonly (readonly [cidr: string, kind: string])[]): Range[] {
  return list.map(([cidr, kind]) => {
    const [address = '', bits] = cidr.split('/');
    return { prefix: parseIp(address) ?? [], bits: Number(bits), kind };
  });
}
