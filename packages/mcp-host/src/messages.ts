/** What a JSON-RPC id may be here. */
export type Id = string | number | null;

type Members = Readonly<Record<string, unknown>>;

/** What a message asks for. */
export interface Call {
  readonly method: string;
  readonly params: Members;
  /** The arguments of a tool as they stand in the body, where they have to be read apart from it. */
  readonly argumentsText?: string;
}

/** One element of a body, sorted. */
export type Message =
  | (Call & { readonly kind: 'request'; readonly id: Id })
  /** A request without an id: it is run, and nothing is said back. */
  | (Call & { readonly kind: 'notification' })
  /** The answer to a request, which this server never sends: nothing is said back. */
  | { readonly kind: 'response' }
  /** No request at all; `id` is its id where that much can be told. */
  | { readonly kind: 'malformed'; readonly id: Id; readonly fault: string; readonly data?: unknown };

/** Sorts a parsed element. Only own members count, and an id counts by its presence: 0, "" and null are ids. */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) return malformed(null, 'A request is a JSON object.');
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
  const call = { method, params: isObject(params) ? params : {} };
  return id === undefined ? { kind: 'notification', ...call } : { kind: 'request', id, ...call };
}

const malformed = (id: Id, fault: string): Message => ({ kind: 'malformed', id, fault });

const isResponse = (value: Members): boolean =>
  !Object.hasOwn(value, 'method') && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));

/** An answer repeats the id, and is not made longer by it than it may be. */
const MAX_ID_CHARS = 10_000;

/** Whole numbers beyond 2^53 would come back changed, so they are no ids. */
export const isId = (value: unknown): value is Id =>
  value === null ||
  (typeof value === 'string' && value.length <= MAX_ID_CHARS) ||
  (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
