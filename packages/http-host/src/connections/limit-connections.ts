import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup, parseAddress } from './network-address.ts';
import { onRequestEnd } from './on-request-end.ts';

export interface ConnectionLimiter {
  /**
   * Must be called for each request. The request's connection counts as in use, not as idle, from the end of the
   * request's body until the answer is sent. Before, the server still waits for the client.
   */
  begin(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Limits the number of connections of a server. A connection is idle while the server waits for its client: for a
 * request, for the rest of a request's head, or for the rest of a body. When a new connection exceeds the limit, one
 * connection is closed, the first of these that exists:
 *
 * - the least recently used idle connection of the address with the most connections, so that a client which opens many
 *   connections loses its own ones;
 * - the least recently used idle connection of the address from which the new connection comes;
 * - the new connection.
 */
export function limitConnections(server: Server, most: number): ConnectionLimiter {
  const addressOf = new Map<Socket, string>();
  const groups = new Map<string, Set<Socket>>();
  const requests = new WeakMap<Socket, Set<IncomingMessage>>();

  const add = (socket: Socket, address: string): Set<Socket> => {
    const group = (groups.get(address) ?? new Set()).add(socket);
    addressOf.set(socket, address);
    groups.set(address, group);
    return group;
  };
  const remove = (socket: Socket): void => {
    const address = addressOf.get(socket);
    if (address === undefined) return;
    addressOf.delete(socket);
    const group = groups.get(address);
    group?.delete(socket);
    if (group?.size === 0) groups.delete(address);
  };
  const touch = (socket: Socket): void => {
    const address = addressOf.get(socket);
    if (address === undefined) return;
    groups.get(address)?.delete(socket);
    add(socket, address);
  };
  const waitsForClient = (socket: Socket): boolean =>
    [...(requests.get(socket) ?? [])].every(({ complete }) => !complete);
  const leastUsed = (group: Iterable<Socket>, newest: Socket): Socket | undefined => {
    for (const socket of group) if (socket !== newest && waitsForClient(socket)) return socket;
    return undefined;
  };

  server.on('connection', (socket: Socket) => {
    const own = add(socket, parsedAddress(socket));
    socket.once('close', () => remove(socket));
    if (addressOf.size <= most) return;
    const leaving = leastUsed(largestOf(groups.values()), socket) ?? leastUsed(own, socket) ?? socket;
    remove(leaving);
    leaving.destroy();
  });

  return {
    begin(request, response) {
      const { socket } = request;
      const open = (requests.get(socket) ?? new Set()).add(request);
      requests.set(socket, open);
      touch(socket);
      onRequestEnd(request, response, () => {
        open.delete(request);
        touch(socket);
      });
    },
  };
}

const parsedAddress = ({ remoteAddress = '' }: Socket): string => addressGroup(parseAddress(remoteAddress) ?? 'local');

function largestOf(groups: Iterable<Set<Socket>>): Set<Socket> {
  let largest = new Set<Socket>();
  for (const group of groups) if (group.size > largest.size) largest = group;
  return largest;
}
