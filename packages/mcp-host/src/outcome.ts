import { type Answer, errorHeaders, type ParleyError } from '@parley/core';
import type { Id } from './messages.ts';

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** One JSON-RPC response, and how HTTP carries it when it is the only one. */
export interface Outcome {
  readonly response: { readonly jsonrpc: '2.0'; readonly id: Id; readonly result?: unknown; readonly error?: RpcError };
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export const succeed = (id: Id, result: unknown): Outcome => ({
  response: { jsonrpc: '2.0', id, result },
  status: 200,
  headers: {},
});

export const refuse = (id: Id, error: RpcError, status = 200): Outcome => ({
  response: { jsonrpc: '2.0', id, error },
  status,
  headers: {},
});

/** A refusal by the service as a protocol error: its HTTP status, its JSON-RPC number, the REST body as data. */
export const refuseWith = (id: Id, error: ParleyError): Outcome => ({
  response: {
    jsonrpc: '2.0',
    id,
    error: { code: error.jsonRpc ?? INTERNAL_ERROR, message: error.message, data: error.body() },
  },
  status: error.status,
  headers: errorHeaders(error),
});

export const toAnswer = ({ response, status, headers }: Outcome): Answer => ({
  status,
  headers,
  body: JSON.stringify(response),
});

/** What a notification gets: accepted, and nothing else. */
export const ACCEPTED: Answer = { status: 202, headers: {}, body: '' };
