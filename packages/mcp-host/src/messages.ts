import { isRecord } from '@parley/core';

/** The id of a JSON-RPC request: a value of one of the types that this server accepts. */
export type Id = string | number | null;

type Members = Readonly<Record<string, unknown>>;

export interface Call {
  readonly method: string;
  readonly params: Members;
  /** The tool arguments as text. Present if they are invalid and were not parsed with the message. */
  readonly argumentsText?: string;
}

/** A JSON-RPC message: the whole body of a request, or one element of a batch. */
export type Message =
  | (Call & { readonly kind: 'request'; readonly id: Id })
  /** A request without an id. It is run, but not answered. */
  | (Call & { readonly kind: 'notification' })
  /** A response. This server sends no requests, so it ignores responses. */
  | { readonly kind: 'response' }
  /** A message that has no valid form. `id` is null if it cannot be read. */
  | { readonly kind: 'malformed'; readonly id: Id; readonly fault: string; readonly data?: unknown };

/** Finds the kind of a parsed message. A message with a member `id` has an id, even if that is 0, "" or null. */
export function readMessage(value: unknown): Message {
  if (!isRecord(value)) return malformed(null, 'A request must be a JSON object.');
  const id = Object.hasOwn(value, 'id') ? value.id : undefined;
  if (id !== undefined && !isId(id)) {
    return malformed(null, `id must be null, a string of at most ${MAX_ID_CHARS} characters, or a number below 2^53.`);
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

/** Maximum length of an id in characters. It is limited because the answer repeats the id. */
const MAX_ID_CHARS = 10_000;

/** Whether a value is a valid id. A whole number beyond 2^53 is invalid, because parsing changes it; so is a text that is no UTF-8. */
export const isId = (value: unknown): value is Id =>
  value === null ||
  (typeof value === 'string' && value.length <= MAX_ID_CHARS && value.isWellFormed()) ||
  (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));
