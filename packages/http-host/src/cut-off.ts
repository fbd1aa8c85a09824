import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Why a client was disconnected. `client_bytes` and `process_bytes`: this client, or all clients together, left too
 * many bytes of answers unread. `stalled`: the client read nothing for too long. `unfinished_bodies`: the unfinished
 * bodies of all clients together were too large, and its body was the oldest.
 */
export type CutOff = 'client_bytes' | 'process_bytes' | 'stalled' | 'unfinished_bodies';

/** Connections that the server closed, and why. */
const cutOffs = new WeakMap<Socket, CutOff>();

/** Why the connection of a request was closed; undefined if the client closed it, or if it is open. */
export const cutOffOf = ({ socket }: IncomingMessage): CutOff | undefined => cutOffs.get(socket);

/**
 * Resets the connection, so that the system also drops what it buffers for it. Only TCP has a reset; other connections
 * are closed.
 */
export function cutOff(socket: Socket, reason: CutOff): void {
  cutOffs.set(socket, reason);
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}
