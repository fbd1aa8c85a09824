import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The reason why the server disconnected a client.
 *
 * - `client_bytes`: this client left too many bytes of answers unread.
 * - `process_bytes`: all clients together left too many bytes of answers unread.
 * - `stalled`: the client read nothing for too long.
 * - `unfinished_bodies`: the unfinished bodies of all clients together were too large, and this client's body was
 *   the oldest.
 */
export type CutOff = 'client_bytes' | 'process_bytes' | 'stalled' | 'unfinished_bodies';

const cutOffs = new WeakMap<Socket, CutOff>();

/**
 * Returns why the server closed the connection of a request. Undefined if the client closed the connection, or if the
 * connection is open.
 */
export const cutOffOf = ({ socket }: IncomingMessage): CutOff | undefined => cutOffs.get(socket);

/**
 * Resets a connection. The operating system then also drops the bytes that it buffers for the connection. A connection
 * that is not TCP has no reset and is closed.
 */
export function cutOff(socket: Socket, reason: CutOff): void {
  cutOffs.set(socket, reason);
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}
