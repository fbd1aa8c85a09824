import {
  type ErrorCode,
  groupBy,
  type InterfaceReference,
  type JsonSchema,
  MAX_BATCH_ELEMENTS,
  type OperationReference,
  type RouteReference,
} from '@parley/core';
import { inputOf, jsonContent, jsonResponse, type PathItem, SESSION_ID, schemaPath } from './parts.ts';
import { type Refusals, refusalsIn } from './refusals.ts';

const PREFIX = '/api/public/agent';

/** A method of a path, with the operation that runs for each kind of token. */
interface Shared {
  readonly method: string;
  readonly path: string;
  readonly served: readonly { readonly route: RouteReference; readonly operation: OperationReference }[];
  readonly refusals: readonly ErrorCode[];
}

/** The paths of an OpenAPI document, and the error responses to which they refer. */
export interface Paths {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly responses: Refusals['responses'];
}

/** The paths of every route of the agents. A route that several kinds of token share has a tag for each kind. */
export function agentPaths({ agents, components }: InterfaceReference): Paths {
  const shared = sharedRoutes(agents);
  const refusals = refusalsIn(shared);
  const paths = [...groupBy(shared, ({ path }) => path)].map(([path, methods]) => [
    path,
    {
      ...(methods.some(isOpen) ? {} : { parameters: [SESSION_ID] }),
      ...Object.fromEntries(
        methods.map((route) => [
          route.method.toLowerCase(),
          { ...describe(route, components), ...responsesOf(route, refusals) },
        ]),
      ),
    },
  ]);
  return { paths: Object.fromEntries(paths), responses: refusals.responses };
}

function sharedRoutes(agents: readonly OperationReference[]): Shared[] {
  const all = agents.flatMap((operation) => operation.routes.map((route) => ({ route, operation })));
  return [...groupBy(all, ({ route }) => `${route.method} ${fullPath(route)}`)].map(([place, served]) => {
    const [method = '', path = ''] = place.split(' ');
    const codes = served.flatMap(({ operation }) => operation.refusals);
    return { method, path, served, refusals: [...codes, ...roleRefusals(served)] };
  });
}

const fullPath = ({ by, path }: RouteReference): string =>
  by === 'anyone' ? `${PREFIX}${path}` : `${PREFIX}/sessions/{session_id}/${path}`;

const isOpen = ({ served }: Pick<Shared, 'served'>): boolean => served.some(({ route }) => route.by === 'anyone');

/** The error codes for a token of the wrong kind. Empty if the path accepts every kind of token. */
function roleRefusals(served: Shared['served']): readonly ErrorCode[] {
  if (isOpen({ served })) return [];
  const roles = new Set(served.map(({ route }) => route.by));
  return [
    ...(roles.has('moderator') ? [] : (['MODERATOR_FORBIDDEN'] as const)),
    ...(roles.has('builder') ? [] : (['BUILDER_FORBIDDEN'] as const)),
  ];
}

function describe(route: Shared, components: InterfaceReference['components']) {
  const { served, method } = route;
  const [{ operation }] = [served[0] ?? nothing(route)];
  const { parameters = [], ...input } = inputOf(method, operation, components);
  const grants = grantsOf(route);
  const all = [...parameters, ...(served.some(({ operation: { takesKeys } }) => takesKeys) ? [IDEMPOTENCY_KEY] : [])];
  return {
    operationId: [...new Set(served.map(idOf))].join('_or_'),
    tags: served.map(({ route: { by } }) => by),
    summary: operation.summary,
    ...(grants.length > 0 ? { description: grants.join(' ') } : {}),
    ...(isOpen(route) ? { security: [] } : {}),
    ...(all.length > 0 ? { parameters: all } : {}),
    ...input,
  };
}

function nothing({ method, path }: Shared): never {
  throw new Error(`No operation has the route ${method} ${path}.`);
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Another way to send request_id.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
} as const;

function responsesOf({ served, refusals: codes }: Shared, refusals: Refusals) {
  const outputs = served.map(({ operation }) => operation.output);
  return { responses: { 200: jsonResponse('OK', oneOrAny(outputs)), ...refusals.of(codes) } };
}

function oneOrAny(outputs: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(outputs.map((output) => [JSON.stringify(output), output])).values()];
  const [only] = different;
  return only && different.length === 1 ? only : { anyOf: different };
}

/** The id of an operation in the document. The id contains the kind of token if each kind has its own route. */
function idOf({ route: { by }, operation: { name, routes } }: Shared['served'][number]): string {
  const isSplit = new Set(routes.map(({ path }) => path)).size > 1;
  return isSplit ? `${by}_${name}` : name;
}

/** Sentences with the scope or permission that the route requires, and with the phases in which it works. */
function grantsOf({ served }: Shared): readonly string[] {
  const needs = served.flatMap(({ route: { by }, operation: { access } }) => {
    if (by === 'builder' && access.builder) return [`Scope: ${access.builder}.`];
    if (by === 'moderator' && typeof access.moderator === 'string') return [`Permission: ${access.moderator}.`];
    return [];
  });
  const phases = [...new Set(served.flatMap(({ operation }) => operation.phases))];
  return phases.length > 0 ? [...needs, `In ${phases.join(', ')}.`] : needs;
}

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
