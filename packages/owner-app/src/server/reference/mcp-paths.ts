import { MAX_BATCH_ELEMENTS } from '@parley/core';
import { jsonContent, jsonResponse, type PathItem, schemaPath } from './parts.ts';

const refer = (name: string) => ({ $ref: schemaPath(name) });
const VERSION = { const: '2.0' } as const;
const ID = { type: ['string', 'number', 'null'] } as const;
const MEMBERS = { type: 'object', additionalProperties: {} } as const;

const oneOrBatch = (name: string) => ({
  anyOf: [refer(name), { type: 'array', items: refer(name), minItems: 1, maxItems: MAX_BATCH_ELEMENTS }],
});

/** Schemas for the messages of the MCP endpoint. `tools/list` describes the inputs and outputs of the tools. */
export const MCP_SCHEMAS = {
  JsonRpcRequest: {
    type: 'object',
    description: 'A message without an id is a notification.',
    properties: {
      jsonrpc: VERSION,
      id: ID,
      method: { type: 'string', description: 'initialize, ping, tools/list or tools/call.' },
      params: MEMBERS,
    },
    required: ['jsonrpc', 'method'],
  },
  JsonRpcBody: oneOrBatch('JsonRpcRequest'),
  JsonRpcReply: oneOrBatch('JsonRpcResponse'),
  JsonRpcResponse: {
    type: 'object',
    description: 'The answer to a request: it has a result or an error.',
    properties: { jsonrpc: VERSION, id: ID, result: MEMBERS, error: refer('JsonRpcError') },
    required: ['jsonrpc', 'id'],
  },
  JsonRpcRefusal: {
    type: 'object',
    properties: { jsonrpc: VERSION, id: ID, error: refer('JsonRpcError') },
    required: ['jsonrpc', 'id', 'error'],
  },
  JsonRpcError: {
    type: 'object',
    properties: {
      code: { type: 'integer' },
      message: { type: 'string' },
      data: { ...refer('Error'), description: 'The error body that REST would send, if the service refuses the call.' },
    },
    required: ['code', 'message'],
  },
} as const;

/** Errors that refuse a whole body. A refused tool call is answered with a tool result instead. */
const REFUSALS = {
  400: '-32700: the body is not JSON. -32600: it is neither a request nor a batch of 1 to 50 requests.',
  401: '-32001: the token is missing, malformed, unknown, revoked or expired.',
  403: '-32001: the moderator is stopped, or the owner does not allow moderators.',
  409: '-32603: the log of the session is broken.',
  413: '-32600: the body has more than 200,000 characters.',
  415: '-32600: the body has a Content-Encoding.',
  429: '-32029: too many requests; Retry-After says when to try again.',
  '5XX': '-32603: the service failed, or is stopping.',
} as const;

const named = (name: string) => `rpc_${name}`;

/** The responses of the MCP endpoint, which are the same for a token in the header and in the path. */
export const MCP_RESPONSES: Readonly<Record<string, object>> = {
  [named('200')]: jsonResponse('The answer, or the answers of a batch.', refer('JsonRpcReply')),
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([status, text]) => [named(status), jsonResponse(text, refer('JsonRpcRefusal'))]),
  ),
};

const responses = {
  ...Object.fromEntries(
    Object.keys(MCP_RESPONSES).map((name) => [
      name.slice(named('').length),
      { $ref: `#/components/responses/${name}` },
    ]),
  ),
  202: { description: 'The request contains only notifications.' },
};

const MCP_OPERATION = {
  tags: ['mcp'],
  requestBody: { required: true, content: jsonContent(refer('JsonRpcBody')) },
  responses,
} as const;

export const MCP_PATHS: Readonly<Record<string, PathItem>> = {
  '/api/public/mcp': {
    post: {
      ...MCP_OPERATION,
      operationId: 'mcp',
      summary: 'JSON-RPC 2.0: initialize, ping, tools/list and tools/call; the tools are the operations.',
    },
  },
  '/api/public/mcp/{token}': {
    parameters: [
      { name: 'token', in: 'path', required: true, schema: { type: 'string', pattern: '^prt_[A-Za-z0-9_-]{16,200}$' } },
    ],
    post: {
      ...MCP_OPERATION,
      operationId: 'mcp_by_path_token',
      summary: 'The MCP endpoint for clients that cannot send a header.',
      security: [],
    },
  },
};
