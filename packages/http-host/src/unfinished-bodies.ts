import type { IncomingMessage } from 'node:http';
import { cutOff } from './cut-off.ts';

/** Maximum bytes of all unfinished bodies of this process. */
const MAX_UNFINISHED_BYTES = 16_000_000;

/** Bytes of each unfinished body, in the order in which the server began to read them. */
const heldBytes = new Map<IncomingMessage, number>();
let total = 0;

/**
 * Updates the size of an unfinished body. If all together exceed the limit, closes the connections of the oldest: a
 * normal body arrives within milliseconds, so an old one is probably an attack.
 * Call {@link releaseBody} once the body is complete, refused or aborted.
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

/** Stops counting a body; no effect if it is not counted. */
export function releaseBody(request: IncomingMessage): void {
  total -= heldBytes.get(request) ?? 0;
  heldBytes.delete(request);
}
