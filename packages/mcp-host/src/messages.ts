import { isRecord } from '@parley/core';

/** Accepted types of a JSON-RPC id. */
export type Id = string | number | null;

type Members = Readonly<Record<string, unknown>>;

/** The request in a message. */
export interface Call {
  readonly method: string;
  readonly params: Members;
  /** The arguments of a tool as text, if they must be parsed separately. */
  readonly argumentsText?: string;
}

/** One classified element of a body. */
export type Message =
  | (Call & { readonly kind: 'request'; readonly id: Id })
  /** A request without an id: it is run and not answered. */
  | (Call & { readonly kind: 'notification' })
  /** A response. This server sends no requests, so it ignores responses. */
  | { readonly kind: 'response' }
  /** Not a request; `id` is its id if it can be read. */
  | { readonly kind: 'malformed'; readonly id: Id; readonly fault: string; readonly data?: unknown };

/** Classifies a parsed element. Only own members count, and an id counts by its presence: 0, "" and null are ids. */
export function readMessage(value: unknown): Message {
  if (!isRecord(value)) return malformed(null, 'A request must be a JSON object.');
  const id = Object.hasOwn(value, 'id') ? value.id : undefined;
  if (id !== undefined && !isId(id)) {
    return malformed(
      null,
      `id must be a string of at most ${MAX_ID_CHARS} characters, null, or a number that JSON readers agree on.`,
    );
  }
  if (value.jsonrpc !== '2.0') return malformed(id ?? null, 'jsonrpc must be "2.0".');
  if (isResponse(value)) return { kind: 'response' };
  return readRequest(value, id);
}

function readRequest({ method, params }: Members, id: Id | undefined): Message {
  if (typeof method !== 'string') return malformed(id ?? null, 'method must be a string.');
  if (typeof (params ?? {}) !== 'object') return malformed(id ?? null, 'params must be an object.');
  const call = { method, params: isRecord(params) ? params : {} };
  return id === undefined ? { kind: 'notification', ...call } : { kind: 'request', id, ...call };
}

const malformed = (id: Id, fault: string): Message => ({ kind: 'malformed', id, fault });

const isResponse = (value: Members): boolean =>
  !Object.hasOwn(value, 'method') && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));

/** Limits the id, because the answer repeats it. */
const MAX_ID_CHARS = 10_000;

/** Whole numbers beyond 2^53 are refused as ids, because parsing changes them. */
export const isId = (value: unknown): value is Id =>
  value === null ||
  (typeof value === 'string' && value.length <= MAX_ID_CHARS) ||
  (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));
