import type { IncomingMessage } from 'node:http';
import { cutOff } from '../connections/cut-off.ts';

/** Maximum bytes of all unfinished bodies of this process together. */
const MAX_UNFINISHED_BYTES = 16_000_000;

/** The size of each unfinished body in bytes, in the order in which the server began to read the bodies. */
const heldBytes = new Map<IncomingMessage, number>();
let total = 0;

/**
 * Sets the size of an unfinished body. If all unfinished bodies together exceed the limit, closes the connections of
 * the oldest bodies, because an ordinary body arrives within milliseconds. Call `releaseBody` when the body is
 * complete, refused or aborted.
 */
export function holdBody(request: IncomingMessage, bytes: number): void {
  if (request.socket.destroyed) return;
  total += bytes - (heldBytes.get(request) ?? 0);
  heldBytes.set(request, bytes);
  for (const oldest of heldBytes.keys()) {
    if (total <= MAX_UNFINISHED_BYTES) return;
    releaseBody(oldest);
    cutOff(oldest.socket, 'unfinished_bodies');
  }
}

export function releaseBody(request: IncomingMessage): void {
  total -= heldBytes.get(request) ?? 0;
  heldBytes.delete(request);
}
