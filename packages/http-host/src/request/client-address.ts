import type { IncomingMessage } from 'node:http';
import { addressGroup, networkTest, parseAddress } from '../connections/network-address.ts';
import { headerValues } from './header-values.ts';

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
