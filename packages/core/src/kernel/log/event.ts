import type { Actor } from '../roles.ts';
import { sha256Hex } from '../sha256.ts';

/** Head of a session's log: number and hash of its last event. `seq` 0 and `GENESIS_HASH` before the first event. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** One stored event: `body` is the exact text over which `hash` was computed. */
export interface StoredEvent extends Head {
  readonly body: string;
}

/** Hash that the first event of every log names as the hash of its predecessor. */
export const GENESIS_HASH = '0'.repeat(64);

export const GENESIS: Head = { seq: 0, hash: GENESIS_HASH };

/** One event of a session, parsed. `hash` is the SHA-256 (hex) of its stored text; the chain runs through `prevHash`. */
export interface LoggedEvent<K extends string = string, D = unknown> {
  readonly seq: number;
  /** ISO 8601 UTC, never before the previous event's. */
  readonly at: string;
  readonly kind: K;
  readonly v: number;
  readonly actor: Actor;
  readonly data: D;
  readonly prevHash: string;
  readonly hash: string;
  /** Length of its stored text in bytes of UTF-8. */
  readonly bytes: number;
}

/** An event as `decide` returns it: the log adds number, time and chain. Without `actor`, the actor is the caller. */
export interface EventDraft<K extends string = string, D = unknown> {
  readonly kind: K;
  readonly data: D;
  readonly actor?: Actor;
  /** Large texts to store with the event, which refers to each by its SHA-256. */
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

/** The stored form of an event, and its parsed form. The order of the members in the text is part of the format. */
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

/** Parses a stored event. Does not check the hash: `verifyLog` does. */
export function readEvent({ hash, body }: StoredEvent): LoggedEvent {
  const { seq, at, kind, v, actor, data, prev_hash } = JSON.parse(body) as EventText;
  return { seq, at, kind, v, actor, data, prevHash: prev_hash, hash, bytes: Buffer.byteLength(body) };
}
