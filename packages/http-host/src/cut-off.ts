import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Why a client was cut off. `client_bytes` and `process_bytes`: it, or all clients together, left too many bytes of answers
 * unread. `stalled`: it read nothing for too long. `unfinished_bodies`: the unfinished bodies of all clients together were too
 * large, and its body was the oldest.
 */
export type CutOff = 'client_bytes' | 'process_bytes' | 'stalled' | 'unfinished_bodies';

/** Connections that were cut off, and why. */
const cutOffs = new WeakMap<Socket, CutOff>();

/** Why the connection of a request was cut off; undefined where the client itself went, or is still there. */
export const cutOffOf = ({ socket }: IncomingMessage): CutOff | undefined => cutOffs.get(socket);

/** Resets the connection, so that the system drops what it buffers for it too. Only TCP has a reset; others are closed. */
export function cutOff(socket: Socket, reason: CutOff): void {
  cutOffs.set(socket, reason);
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}
