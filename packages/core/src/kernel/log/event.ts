import type { Actor } from '../roles.ts';
import { sha256Hex } from '../sha256.ts';

/** Where a session's log stands: its last event's number and hash. `seq` 0 and `GENESIS_HASH` before the first event. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** One event as it is kept: `body` is the exact text that `hash` was computed over. */
export interface StoredEvent extends Head {
  readonly body: string;
}

/** The hash that the first event of every log names as its predecessor's. */
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
  /** Of its stored text, as UTF-8. */
  readonly bytes: number;
}

/** What `decide` returns: the log adds number, time and chain. Without `actor` it is the caller's. */
export interface EventDraft<K extends string = string, D = unknown> {
  readonly kind: K;
  readonly data: D;
  readonly actor?: Actor;
  /** Large texts to be stored with the event, which names each by its SHA-256. */
  readonly documents?: readonly string[];
}

/** A draft by somebody. */
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

/** The stored form of an event and its parsed twin. The member order of the text is part of the format. */
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

/** Reads a stored event back. Trusts the text: `verifyLog` is what checks it. */
export function readEvent({ hash, body }: StoredEvent): LoggedEvent {
  const { seq, at, kind, v, actor, data, prev_hash } = JSON.parse(body) as EventText;
  return { seq, at, kind, v, actor, data, prevHash: prev_hash, hash, bytes: Buffer.byteLength(body) };
}
