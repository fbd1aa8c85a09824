import {
  type ErrorCode,
  groupBy,
  type InterfaceReference,
  type JsonSchema,
  MAX_BATCH_ELEMENTS,
  type OperationReference,
  type OwnerRouteReference,
  type RouteReference,
} from '@parley/core';
import { kebabCase } from '@parley/core/routes';
import {
  ACCOUNT_ID,
  inputOf,
  jsonContent,
  jsonResponse,
  KEY,
  OWNER_PARAMETERS,
  type PathItem,
  PERSON_ID,
  PREFER,
  type Refusals,
  refusalsIn,
  SESSION_ID,
  schemaPath,
} from './parts.ts';

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

const IDEMPOTENCY_KEY = { ...OWNER_PARAMETERS.key, description: 'Another way to send request_id.' };

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

const API = '/owner/api';

/** The paths of every route of the owner: sign-in and sign-out, and the routes of the calls. */
export function ownerPaths({ owner: routes, components }: InterfaceReference): Paths {
  const refusals = refusalsIn([...new Map(routes.map((route) => [route.call, route])).values()]);
  const items = Array.from(
    groupBy(routes, ({ path }) => path),
    ([path, sharing]) => {
      const methods = sharing.map(
        (route) =>
          [route.method.toLowerCase(), withHeaders(route, sharing, described(route, components, refusals))] as const,
      );
      const ids = Object.entries(IDS).flatMap(([name, id]) => (path.includes(`{${name}}`) ? [id] : []));
      const parameters = sharing.some(({ method }) => method === 'GET') ? ids : [...ids, ...headersOf(sharing)];
      const shared = parameters.length > 0 ? { parameters } : {};
      return [`${API}${path}`, { ...shared, ...Object.fromEntries(methods) }] as const;
    },
  );
  return { paths: { ...signInPaths(refusals), ...Object.fromEntries(items) }, responses: refusals.responses };
}

const IDS = { session_id: SESSION_ID, person_id: PERSON_ID, account_id: ACCOUNT_ID };

function described(route: OwnerRouteReference, components: InterfaceReference['components'], refusals: Refusals) {
  const { method, summary, streams, output } = route;
  const { parameters = [], ...body } = inputOf(method, route, components);
  const all = streams === 'events' ? [...parameters, LAST_EVENT_ID] : parameters;
  const answer = streams ? STREAMED[streams](output) : jsonResponse('OK', output);
  return {
    operationId: ownerOperationId(route),
    summary,
    ...(all.length > 0 ? { parameters: all } : {}),
    ...body,
    responses: { 200: answer, ...refusals.of(route.refusals) },
  };
}

const snakeCase = (name: string): string => kebabCase(name).replaceAll('-', '_');

/** The id of a route in the document. Generated clients have it as a name. */
function ownerOperationId({ call, of, path }: OwnerRouteReference): string {
  const [, onSession] = /^\/sessions\/\{session_id\}\/(.+)$/.exec(path) ?? [];
  if (of === 'session') return onSession === undefined ? `${snakeCase(call)}_session` : `owner_${snakeCase(call)}`;
  return onSession === undefined ? snakeCase(call) : `session_${onSession.replaceAll('-', '_')}`;
}

/** The headers that each of these writes takes. */
const headersOf = (writes: readonly OwnerRouteReference[]) =>
  writes.every(({ of }) => of === 'session') ? [KEY, PREFER] : [KEY];

/** Adds the headers of a write, unless all routes of the path have them, because none of them is a read. */
const withHeaders = (route: OwnerRouteReference, sharing: readonly OwnerRouteReference[], item: object): object =>
  route.method !== 'GET' && sharing.some(({ method }) => method === 'GET')
    ? { ...item, parameters: headersOf([route]) }
    : item;

const STREAMED = {
  lines: (schema: object) => ({
    description: 'A JSON value on each line.',
    content: { 'application/x-ndjson': { schema } },
  }),
  events: (schema: object) => ({
    description: 'The events as server-sent events.',
    content: { 'text/event-stream': { schema } },
  }),
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Used in place of after; browsers send it when they reconnect.',
  schema: { type: 'string' },
};

const SIGNING = [
  ...(['INVALID_JSON', 'UNSUPPORTED_ENCODING', 'BODY_TOO_LARGE', 'UNAUTHORIZED', 'CROSS_SITE_REFUSED'] as const),
  ...(['RATE_LIMITED', 'INTERNAL'] as const),
] as const;

const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: 'object', properties, required });

export const SIGN_IN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PageSignIn: objectOf({
    expires_at: { $ref: schemaPath('Time') },
    page_key: { type: 'string', description: 'Send this key with the cookie, in the header Parley-Page-Key.' },
  }),
};

function signInPaths(refusals: Refusals): Readonly<Record<string, PathItem>> {
  const signing = (operationId: string, summary: string, output: JsonSchema, request: object = {}): PathItem => ({
    post: {
      operationId,
      summary,
      security: [],
      ...request,
      responses: { 200: jsonResponse('OK', output), ...refusals.of(SIGNING) },
    },
  });
  const key = { required: true, content: jsonContent(objectOf({ owner_key: { type: 'string' } })) };
  const signedIn = { $ref: schemaPath('PageSignIn') };
  const waysIn = {
    operationId: 'ways_to_sign_in',
    summary: 'Whether people can also sign in with company accounts.',
    security: [],
    responses: {
      200: jsonResponse('OK', objectOf({ company: { type: 'boolean' } })),
      ...refusals.of(['INTERNAL']),
    },
  };
  const secret = {
    type: 'string',
    description: 'Secret of this page. Store it for this origin, and send it to finish the sign-in.',
  };
  const started = objectOf({ authorization_url: { type: 'string', format: 'uri' }, page_secret: secret });
  const ended = {
    type: 'string',
    format: 'uri',
    description: 'Address at which the person signs out of the OpenID provider.',
  };
  return {
    [`${API}/sign-in`]: {
      ...signing('sign_in', 'Exchange the owner key for a cookie and its page key.', signedIn, { requestBody: key }),
      get: waysIn,
    },
    [`${API}/sign-in/company`]: signing(
      'sign_in_with_company',
      'Begin a sign-in with a company account: send the browser to authorization_url. If a trusted proxy names the person, this call already sets the cookie and answers with its page key.',
      { anyOf: [started, signedIn] },
    ),
    [`${API}/sign-in/finish`]: signing(
      'finish_sign_in',
      'Exchange the page secret for a cookie and its page key, after the provider has sent the browser back.',
      signedIn,
      { requestBody: { required: true, content: jsonContent(objectOf({ page_secret: { type: 'string' } })) } },
    ),
    [`${API}/sign-out`]: signing(
      'sign_out',
      'End the sign-in of this browser.',
      objectOf({ signed_out: { const: true }, end_session_url: ended }, ['signed_out']),
    ),
  };
}
