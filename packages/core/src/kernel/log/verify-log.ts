import { counted } from '../counted.ts';
import { isRecord, parseOrNull } from '../text/json-value.ts';
import { sha256Hex } from '../text/sha256.ts';
import type { Head, StoredEvent } from './event.ts';
import { GENESIS } from './event.ts';

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
