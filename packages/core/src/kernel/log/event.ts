import { ParleyError } from '../errors.ts';
import type { PersonRef } from '../person.ts';
import type { Actor } from '../roles.ts';
import { sha256Hex } from '../text/sha256.ts';

/**
 * The head of a session's log: number and hash of its last event. Before the first event, `seq` is 0 and `hash` is
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

/** The hash that the first event of every log contains in place of the hash of an earlier event. */
export const GENESIS_HASH = '0'.repeat(64);

export const GENESIS: Head = { seq: 0, hash: GENESIS_HASH };

/** One event of a session, parsed. `hash` is the SHA-256 (hex) of its stored text; `prevHash` is the hash of the previous event. */
export interface LoggedEvent<K extends string = string, D = unknown> {
  readonly seq: number;
  /** Time of the event, ISO 8601 UTC; never before the time of the previous event. */
  readonly at: string;
  readonly kind: K;
  readonly v: number;
  readonly actor: Actor;
  /** The person who made the owner's call. Absent if another role made the call, or if the application named nobody. */
  readonly person?: PersonRef;
  readonly data: D;
  readonly prevHash: string;
  readonly hash: string;
  /** Length of the event's stored text in bytes of UTF-8. */
  readonly bytes: number;
}

/**
 * An event as `decide` returns it. The service adds number, time and hashes when it stores the event. If `actor` is absent,
 * the caller is the actor.
 */
export interface EventDraft<K extends string = string, D = unknown> {
  readonly kind: K;
  readonly data: D;
  readonly actor?: Actor;
  /** Large texts that are stored with the event. The event contains the SHA-256 of each. */
  readonly documents?: readonly string[];
}

/** A draft whose actor is known. `person` is the person who made the owner's call. */
export type AttributedDraft = EventDraft & { readonly actor: Actor; readonly person?: PersonRef | undefined };

const NO_DOCUMENTS: readonly string[] = [];

/**
 * Adds the actor to a draft. An event of the owner also gets the person who made the call. The members are copied one by
 * one, because V8 adds a member to a copied object slowly.
 */
export const attributed = (
  { kind, data, documents = NO_DOCUMENTS }: EventDraft,
  actor: Actor,
  person: PersonRef | undefined,
): AttributedDraft => ({
  kind,
  data,
  documents,
  actor,
  person: actor === 'owner' && person ? { id: person.id, name: person.name } : undefined,
});

interface EventText {
  readonly session_id: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly v: number;
  readonly actor: Actor;
  readonly person?: PersonRef | undefined;
  readonly data: unknown;
  readonly prev_hash: string;
}

/**
 * Makes an event in two forms: the text that is stored, and the parsed event. The order of the members in the stored text
 * must not change, because it is part of the format.
 */
export function recordEvent(
  sessionId: string,
  head: Head,
  event: Omit<EventText, 'session_id' | 'seq' | 'prev_hash'>,
): { stored: StoredEvent; logged: LoggedEvent } {
  const { at, kind, v, actor, person, data } = event;
  const seq = head.seq + 1;
  const text: EventText = { session_id: sessionId, seq, at, kind, v, actor, person, data, prev_hash: head.hash };
  const body = JSON.stringify(text);
  const bodyHash = sha256Hex(body);
  const bytes = Buffer.byteLength(body);
  const logged = { seq, at, kind, v, actor, ...named(person), data, prevHash: head.hash, hash: bodyHash, bytes };
  return { stored: { seq, hash: bodyHash, body }, logged };
}

/** Parses a stored event. Does not check the hash of the event; `verifyLog` and `readIntactEvent` do. */
export function readEvent({ hash, body }: StoredEvent): LoggedEvent {
  const { seq, at, kind, v, actor, person, data, prev_hash } = JSON.parse(body) as EventText;
  const bytes = Buffer.byteLength(body);
  return { seq, at, kind, v, actor, ...named(person), data, prevHash: prev_hash, hash, bytes };
}

const named = (person: PersonRef | undefined): { person?: PersonRef } => (person ? { person } : {});

/**
 * Makes the error of a log that cannot be folded.
 *
 * @param seq number of the first event that is missing, edited or out of place
 */
export const brokenLog = (seq: number, cause?: unknown): ParleyError =>
  new ParleyError('LOG_BROKEN', `The stored log of this session is broken at event ${seq}.`, { event: seq }, { cause });

/**
 * Compares the text of a stored event with its hash, and parses the event.
 *
 * @throws ParleyError LOG_BROKEN if the text does not match the hash or is not JSON
 */
export function readIntactEvent(stored: StoredEvent): LoggedEvent {
  if (sha256Hex(stored.body) !== stored.hash) throw brokenLog(stored.seq);
  try {
    return readEvent(stored);
  } catch (error) {
    throw brokenLog(stored.seq, error);
  }
}
