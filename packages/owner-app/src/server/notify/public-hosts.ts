import { type LookupAddress, lookup as lookUp } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Networks that are no part of the internet, and those that lead to addresses of other networks. */
const NOT_PUBLIC = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ...[
    '::/96',
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001:db8::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/10',
  ],
  ...['fec0::/10', 'ff00::/8'],
]) {
  const [address = '', prefix] = network.split('/');
  NOT_PUBLIC.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const isPublic = (address: string): boolean => !NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

class PrivateHost extends Error {
  readonly code = 'PRIVATE_HOST';
}

/**
 * Finds the addresses of a host, and fails with the code `PRIVATE_HOST` if one of them is not public. The connection is made to
 * the addresses that were judged.
 */
export const lookupPublic: RequestOptions['lookup'] = (host, options, callback) =>
  lookUp(host, { ...options, all: true }, (error, found) => {
    const fault = error ?? (found.every(({ address }) => isPublic(address)) ? null : new PrivateHost(host));
    const [first]: LookupAddress[] = found ?? [];
    if (fault) callback(fault, '', 0);
    else if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  });

/** Whether the host of an address is an IP address that is not public: for such a host nothing is looked up. */
export function isPrivateAddress({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && !isPublic(address);
}
