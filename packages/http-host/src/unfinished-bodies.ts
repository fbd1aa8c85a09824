import type { IncomingMessage } from 'node:http';
import { cutOff } from './cut-off.ts';

/** What the unfinished bodies of all requests to this process may hold together. */
const MAX_UNFINISHED_BYTES = 16_000_000;

/** Bytes that each unfinished body holds, in the order in which the server began to read them. */
const heldBytes = new Map<IncomingMessage, number>();
let total = 0;

/**
 * Counts what an unfinished body holds now, in place of what it held before. If all hold too much together, the connections
 * of the oldest are cut off: an honest body is whole within milliseconds, so an old one is most likely not honest.
 *
 * Call {@link releaseBody} once the body is whole, refused or gone.
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

/** Ends the count of a body; without effect where it is not counted. */
export function releaseBody(request: IncomingMessage): void {
  total -= heldBytes.get(request) ?? 0;
  heldBytes.delete(request);
}
