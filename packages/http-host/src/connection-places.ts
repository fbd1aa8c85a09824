import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup, parseAddress } from './network-address.ts';
import { onRequestEnd } from './on-request-end.ts';

/** The connections of a server, whose number is limited. */
export interface ConnectionPlaces {
  /** Must be called with each request. The connection of the request counts as in use until the answer is sent. */
  begin(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Limits the number of connections of a server. A new connection above the limit replaces another connection, on which the
 * server waits for the client: for a request, for the rest of a request's head, or for the rest of a body. It takes the
 * address with the most connections, and of its connections the least recently used one. So an address that opens many
 * connections closes its own and excludes nobody. If that address has no such connection, the new connection's own address is
 * tried; if it has none either, the new connection is closed.
 */
export function limitConnections(server: Server, most: number): ConnectionPlaces {
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
  /** Marks a connection as the most recently used one of its address. */
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
