import { ParleyError } from '../errors.ts';
import type { PersonRef } from '../person.ts';
import type { Actor } from '../roles.ts';
import { sha256Hex } from '../text/hash.ts';
import { isRecord, parseOrNull } from '../text/json-value.ts';
import { counted } from '../text/readable.ts';

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

export const LOG_FAULTS = [
  'BODY_UNREADABLE',
  'HASH_MISMATCH',
  'SEQ_MISMATCH',
  'CHAIN_BROKEN',
  'SESSION_MISMATCH',
  'TIME_BACKWARD',
  'TAIL_MISSING',
  'HEAD_MISMATCH',
] as const;

/** The first fault of a log. `seq` is the number of the faulty or missing event. */
export interface LogFault {
  readonly seq: number;
  readonly reason: (typeof LOG_FAULTS)[number];
  readonly message: string;
}

export interface LogReport {
  readonly ok: boolean;
  /** Number of valid events, counted from the first. */
  readonly events: number;
  readonly head: Head;
  readonly fault?: LogFault;
}

interface Cursor extends Head {
  readonly at: string;
  readonly sessionId: string | null;
}

/**
 * Checks a log from its first event, and reports the first broken event.
 * @param log the stored events in order, as in an export
 * @param expected a head that was noted earlier and that the log must contain. Without it, missing events at the end and a
 * rewritten chain cannot be detected
 * @param sessionId the session of which the log must be. Without it, the first event says it
 */
export async function verifyLog(
  log: AsyncIterable<StoredEvent> | Iterable<StoredEvent>,
  expected?: Head,
  sessionId: string | null = null,
): Promise<LogReport> {
  let cursor: Cursor = { ...GENESIS, at: '', sessionId };
  for await (const stored of log) {
    const step = checkEvent(cursor, stored);
    if ('reason' in step) return report(cursor, step);
    if (step.seq === expected?.seq && step.hash !== expected.hash) return report(cursor, headMismatch(expected));
    cursor = step;
  }
  return report(cursor, expected && checkTail(cursor, expected));
}

function report({ seq, hash }: Head, fault?: LogFault): LogReport {
  const held = { ok: fault === undefined, events: seq, head: { seq, hash } };
  return fault ? { ...held, fault } : held;
}

const headMismatch = ({ seq }: Head): LogFault => ({
  seq,
  reason: 'HEAD_MISMATCH',
  message: `The hash of event ${seq} is not that of the expected head.`,
});

function checkTail(cursor: Head, expected: Head): LogFault | undefined {
  if (cursor.seq >= expected.seq) return undefined;
  return {
    seq: cursor.seq + 1,
    reason: 'TAIL_MISSING',
    message: `The log ends at event ${cursor.seq}; ${counted(expected.seq, 'event is', 'events are')} expected.`,
  };
}

function checkEvent(cursor: Cursor, { seq, hash, body }: StoredEvent): Cursor | LogFault {
  const due = cursor.seq + 1;
  const fault = (reason: LogFault['reason'], message: string): LogFault => ({ seq: due, reason, message });
  if (seq !== due) return fault('SEQ_MISMATCH', `Event ${due} is expected here, but event ${seq} was found.`);
  if (sha256Hex(body) !== hash) return fault('HASH_MISMATCH', `The text of event ${due} does not match its hash.`);
  const event = parseBody(body);
  if (!event) return fault('BODY_UNREADABLE', `The text of event ${due} is not an event.`);
  if (event.seq !== due) return fault('SEQ_MISMATCH', `The text stored as event ${due} says it is event ${event.seq}.`);
  if (event.prev_hash !== cursor.hash)
    return fault('CHAIN_BROKEN', `The prev_hash of event ${due} is not the hash of the event before it.`);
  if (cursor.sessionId !== null && event.session_id !== cursor.sessionId) {
    return fault('SESSION_MISMATCH', `Event ${due} belongs to another session.`);
  }
  if (event.at < cursor.at) return fault('TIME_BACKWARD', `Event ${due} is older than the event before it.`);
  return { seq, hash, at: event.at, sessionId: event.session_id };
}

interface ParsedBody {
  readonly session_id: string;
  readonly seq: number;
  readonly at: string;
  readonly prev_hash: string;
}

function parseBody(body: string): ParsedBody | undefined {
  const value = parseOrNull(body);
  return isParsedBody(value) ? value : undefined;
}

function isParsedBody(value: unknown): value is ParsedBody {
  if (!isRecord(value)) return false;
  const body: Partial<Record<keyof ParsedBody, unknown>> = value;
  const texts = [body.session_id, body.at, body.prev_hash];
  return Number.isSafeInteger(body.seq) && texts.every((text) => typeof text === 'string');
}
