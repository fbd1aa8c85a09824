import { type Answer, errorHeaders, type ParleyError } from '@parley/core';
import type { Id } from './messages.ts';

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** One JSON-RPC response as text, and its HTTP status and headers if it is the only one. */
export interface Outcome {
  readonly text: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export const succeed = (id: Id, result: unknown): Outcome => succeedWith(id, JSON.stringify(result));

/** @param result as JSON text */
const succeedWith = (id: Id, result: string): Outcome => ({
  text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`,
  status: 200,
  headers: {},
});

/**
 * The result of a tool, as text content and as structured content.
 * @param text a JSON object as text; it is not serialised again
 */
export const succeedTool = (id: Id, text: string, isError: boolean): Outcome =>
  succeedWith(
    id,
    `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text},"isError":${isError}}`,
  );

export const refuse = (id: Id, error: RpcError, status = 200): Outcome => ({
  text: JSON.stringify({ jsonrpc: '2.0', id, error }),
  status,
  headers: {},
});

/** A refusal as a protocol error: its HTTP status, its JSON-RPC number, the REST body as data. */
export const refuseWith = (id: Id, error: ParleyError): Outcome => ({
  ...refuse(id, { code: error.jsonRpc ?? INTERNAL_ERROR, message: error.message, data: error.body() }, error.status),
  headers: errorHeaders(error),
});

export const toAnswer = ({ text, status, headers }: Outcome): Answer => ({ status, headers, body: text });

/** The outcome of a notification: accepted, without content. */
export const ACCEPTED: Answer = { status: 202, headers: {}, body: '' };
