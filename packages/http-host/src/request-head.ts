import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/**
 * Parses an address as a socket or a forwarding header gives it. It may have a port, brackets or a zone, or be an IPv4
 * address inside IPv6.
 *
 * @returns the bare address, or undefined for any other text
 */
export function parseAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (isIP(bare) === 0) return undefined;
  return isIP(bare) === 6 ? (mappedIPv4(bare) ?? bare) : bare;
}

/**
 * The key by which the requests of an address are counted. All addresses of an IPv6 /64 network have one key, because
 * they usually belong to one client.
 */
export function addressGroup(address: string): string {
  return isIP(address) === 6 ? `${hextets(address).slice(0, 4).join(':')}::/64` : address;
}

/**
 * Returns a function that tests whether an address belongs to one of the networks.
 *
 * @param networks addresses and networks, such as `127.0.0.1`, `10.0.0.0/8` or `fd00::/8`
 * @throws TypeError that names an entry that is neither an address nor a network
 */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return (address) => list.check(address, familyOf(address));
}

const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

function addNetwork(list: BlockList, network: string): void {
  const [, address = '', bits] = NETWORK.exec(network) ?? [];
  try {
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  } catch {
    throw new TypeError(`"${network}" is not an address or a network such as 10.0.0.0/8`);
  }
}

function mappedIPv4(address: string): string | undefined {
  const groups = hextets(address);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const bytes = groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  return bytes.join('.');
}

/** Returns the eight groups of an IPv6 address, as hexadecimal numbers without leading zeros. */
function hextets(address: string): readonly string[] {
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = left ? left.split(':') : [];
  const after = right ? right.split(':') : [];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** A request target below a host. `below` is its path after the prefix of the host, not percent-decoded. */
export type Below = Target & { readonly below: string };

/** A request target that is split at its question mark. Neither part is percent-decoded. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Parses the target of a request line. Also accepts an absolute URL, which proxies send. */
export function readTarget(url = '/'): Target {
  const target = url.replace(SCHEME_AND_HOST, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path || '/', query: mark < 0 ? '' : target.slice(mark + 1) };
}

/**
 * Returns the part of a path after a prefix: empty for the prefix itself, undefined if the path is not below the
 * prefix.
 */
export function pathBelow(prefix: string, path: string): string | undefined {
  if (path === prefix) return '';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/**
 * Matches a path segment that may be a token, an invitation code or a person's key. A percent sign matches too, because
 * percent-encoding may hide such a secret.
 */
const SECRET = /%|(?:prt|pinv|pok)_/i;

/** A path as logs show it: a segment that could be a secret is replaced by `:token`. */
export const shownPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (SECRET.test(segment) ? ':token' : segment))
    .join('/');

/**
 * Returns the values of a header, one value for each time it was sent. This is faster than `headersDistinct`, which
 * sorts all headers.
 *
 * @param name in lower case
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

const OWN = new Set(['same-origin', 'none']);

/**
 * Whether a page of another origin sent the request, according to the header `Sec-Fetch-Site`. Browsers set this
 * header, and pages cannot change it. Another port of the same host is another origin.
 *
 * @returns undefined if the header is missing, as in old browsers and in clients that are not browsers
 */
export function isFromForeignPage(request: IncomingMessage): boolean | undefined {
  const said = headerValues(request, 'sec-fetch-site');
  return said.length === 0 ? undefined : !said.every((site) => OWN.has(site));
}

/**
 * Returns a function that reads the client address of a request.
 *
 * The address is that of the socket's peer. If the peer is a trusted proxy, X-Forwarded-For is read from its right end
 * up to the first address that is not trusted. Entries further left are ignored, because the client could have forged
 * them.
 *
 * @param trustedProxies addresses and networks; if empty, the header is ignored
 * @returns the address under which a request is counted; IPv6 as its /64 network
 * @throws TypeError for an entry that is not an address or network
 */
export function clientAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkTest(trustedProxies);
  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress ?? '');
    if (peer === undefined) return 'local';
    const hops = headerValues(request, 'x-forwarded-for').join(',').split(',');
    return addressGroup(rightmostUntrusted(peer, hops, isTrusted));
  };
}

/**
 * Returns a function that tests whether the peer of a request is one of the trusted proxies. X-Forwarded-For is not
 * read.
 *
 * @param trustedProxies addresses and networks
 * @throws TypeError for an entry that is not an address or network
 */
export function peerTest(trustedProxies: readonly string[]): (request: IncomingMessage) => boolean {
  const isTrusted = networkTest(trustedProxies);
  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress ?? '');
    return peer !== undefined && isTrusted(peer);
  };
}

function rightmostUntrusted(peer: string, hops: string[], isTrusted: (address: string) => boolean): string {
  let address = peer;
  while (isTrusted(address)) {
    const hop = parseAddress(hops.pop() ?? '');
    if (hop === undefined) return address;
    address = hop;
  }
  return address;
}
