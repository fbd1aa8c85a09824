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
