import { type Answer, errorHeaders, type ParleyError } from '@parley/core';
import type { Id } from './messages.ts';

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
