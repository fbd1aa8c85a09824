import type { Actor } from '../roles.ts';
import { sha256Hex } from '../sha256.ts';

/**
 * Head of a session's log: the number and the hash of its last event. Before the first event `seq` is 0 and `hash` is
 * `GENESIS_HASH`.
 */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** One stored event: `body` is the exact text over which `hash` was computed. */
export interface StoredEvent extends Head {
  readonly body: string;
}

/** The first event of every log has this hash as the hash of its predecessor. */
export const GENESIS_HASH = '0'.repeat(64);

export const GENESIS: Head = { seq: 0, hash: GENESIS_HASH };

/**
 * One event of a session, parsed. `hash` is the SHA-256 (hex) of its stored text; `prevHash` is the hash of the event before
 * it.
 */
export interface LoggedEvent<K extends string = string, D = unknown> {
  readonly seq: number;
  /** Time of the event, ISO 8601 UTC; never before the time of the previous event. */
  readonly at: string;
  readonly kind: K;
  readonly v: number;
  readonly actor: Actor;
  readonly data: D;
  readonly prevHash: string;
  readonly hash: string;
  /** Length of the event's stored text in bytes of UTF-8. */
  readonly bytes: number;
}

/**
 * An event as `decide` returns it; number, time and hashes are added when it is stored. Without `actor`, the actor is the
 * caller.
 */
export interface EventDraft<K extends string = string, D = unknown> {
  readonly kind: K;
  readonly data: D;
  readonly actor?: Actor;
  /** Large texts to store with the event. The event refers to each by its SHA-256. */
  readonly documents?: readonly string[];
}

/** A draft with its actor. */
export type AttributedDraft = EventDraft & { readonly actor: Actor };

interface EventText {
  readonly session_id: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly v: number;
  readonly actor: Actor;
  readonly data: unknown;
  readonly prev_hash: string;
}

/** Makes the stored and the parsed form of an event. The order of the members in the text is part of the stored format. */
export function recordEvent(
  sessionId: string,
  head: Head,
  event: AttributedDraft & { readonly v: number; readonly at: string },
): { stored: StoredEvent; logged: LoggedEvent } {
  const { at, kind, v, actor, data } = event;
  const seq = head.seq + 1;
  const text: EventText = { session_id: sessionId, seq, at, kind, v, actor, data, prev_hash: head.hash };
  const body = JSON.stringify(text);
  const bodyHash = sha256Hex(body);
  const bytes = Buffer.byteLength(body);
  const logged = { seq, at, kind, v, actor, data, prevHash: head.hash, hash: bodyHash, bytes };
  return { stored: { seq, hash: bodyHash, body }, logged };
}

/** Parses a stored event. Does not check its hash; `verifyLog` and `readIntactEvent` do. */
export function readEvent({ hash, body }: StoredEvent): LoggedEvent {
  const { seq, at, kind, v, actor, data, prev_hash } = JSON.parse(body) as EventText;
  return { seq, at, kind, v, actor, data, prevHash: prev_hash, hash, bytes: Buffer.byteLength(body) };
}
