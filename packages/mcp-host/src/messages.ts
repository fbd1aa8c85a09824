import { type Answer, errorHeaders, isRecord, type ParleyError } from '@parley/core';

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

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** One JSON-RPC response as text. Its HTTP status and headers apply if it is the only response. */
export interface RpcResponse {
  readonly text: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mayCompress: boolean;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Makes the response of a method other than a tool call. */
export const succeed = (id: Id, result: unknown): RpcResponse => succeedWith(id, JSON.stringify(result), true);

/** @param result as JSON text */
const succeedWith = (id: Id, result: string, mayCompress: boolean): RpcResponse => ({
  text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`,
  status: 200,
  headers: {},
  mayCompress,
});

interface ToolResult {
  /** The result as the text of a JSON object, which is not serialised again. */
  readonly text: string;
  readonly isError: boolean;
  readonly mayCompress: boolean;
}

/** Makes the response of a tool call, with its result as text content and as structured content. */
export const succeedTool = (id: Id, { text, isError, mayCompress }: ToolResult): RpcResponse =>
  succeedWith(
    id,
    `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text},"isError":${isError}}`,
    mayCompress,
  );

export const refuse = (id: Id, error: RpcError, status = 200): RpcResponse => ({
  text: JSON.stringify({ jsonrpc: '2.0', id, error }),
  status,
  headers: {},
  mayCompress: false,
});

/** Makes a response with a JSON-RPC error. Its data is the error body that the REST host would send. */
export const refuseWith = (id: Id, error: ParleyError): RpcResponse => ({
  ...refuse(id, { code: error.jsonRpc ?? INTERNAL_ERROR, message: error.message, data: error.body() }, error.status),
  headers: errorHeaders(error),
});

export const toAnswer = ({ text, status, headers, mayCompress }: RpcResponse): Answer => ({
  status,
  headers,
  body: text,
  mayCompress,
});

/** The answer to a notification. The answer has no body. */
export const ACCEPTED: Answer = { status: 202, headers: {}, body: '' };

/** The supported versions of MCP, newest first. Newer versions of MCP have no `initialize` and are not supported. */
const SUPPORTED = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/**
 * Chooses the version for the answer to `initialize`: the client's version if it is supported, otherwise the newest
 * supported version.
 */
export const agreeOnVersion = (requested: unknown): string =>
  SUPPORTED.find((version) => version === requested) ?? SUPPORTED[0];
