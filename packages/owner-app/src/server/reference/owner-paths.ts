import type { CallReference, InterfaceReference, JsonSchema, OperationReference } from '@parley/core';
import { kebabCase } from '../../text/kebab.ts';
import type { Paths } from './agent-paths.ts';
import { inputOf, jsonContent, jsonResponse, type PathItem, SESSION_ID, schemaPath } from './parts.ts';
import { type Refusals, refusalsIn } from './refusals.ts';

const API = '/owner/api';
const SESSION = `${API}/sessions/{session_id}`;

/** Every route of the owner: those of each session, derived from its operations, and those beside them. */
export function ownerPaths({ owner, ownerMethods, components }: InterfaceReference): Paths {
  const refusals = refusalsIn([...owner, ...Object.values(ownerMethods)]);
  const methodOf = (method: string, operationId: string, call: CallReference) => ({
    [method.toLowerCase()]: {
      ...about(operationId, call.summary),
      ...inputOf(method, call, components),
      responses: { 200: jsonResponse('OK', call.output), ...refusals.of(call.refusals) },
    },
  });
  const streamed = (operationId: string, type: keyof typeof STREAMS) => {
    const { summary, ...parameters } = STREAMS[type];
    const result = { description: 'Line by line.', content: { [type]: { schema: { type: 'string' } } } };
    const responses = { 200: result, ...refusals.of(verifyLog.refusals) };
    return { get: { ...about(operationId, summary), ...parameters, responses } };
  };
  const { createSession, listSessions, overview, setModeratorEntitlement, deleteSession, verifyLog } = ownerMethods;
  const ofSession: Readonly<Record<string, PathItem>> = {
    '': {
      ...methodOf('GET', 'view_session', operationNamed(owner, 'view')),
      ...methodOf('DELETE', 'delete_session', deleteSession),
    },
    '/verify-log': methodOf('GET', 'session_verify_log', verifyLog),
    '/log': streamed('session_log', 'application/x-ndjson'),
    '/events': streamed('session_events', 'text/event-stream'),
    ...Object.fromEntries(
      owner.map((operation) => [
        `/${kebabCase(operation.name)}`,
        methodOf(operation.isRead ? 'GET' : 'POST', idOf(operation), operation),
      ]),
    ),
  };
  const paths = {
    ...signInPaths(refusals),
    [`${API}/overview`]: methodOf('GET', 'overview', overview),
    [`${API}/moderator-entitlement`]: methodOf('POST', 'set_moderator_entitlement', setModeratorEntitlement),
    [`${API}/sessions`]: {
      ...methodOf('GET', 'list_sessions', listSessions),
      ...methodOf('POST', 'create_session', createSession),
    },
    ...Object.fromEntries(
      Object.entries(ofSession).map(([route, item]) => [`${SESSION}${route}`, { parameters: [SESSION_ID], ...item }]),
    ),
  };
  return { paths, responses: refusals.responses };
}

const idOf = ({ name }: OperationReference): string => `owner_${kebabCase(name).replaceAll('-', '_')}`;

function operationNamed(operations: readonly OperationReference[], wanted: string): OperationReference {
  const found = operations.find(({ name }) => name === wanted);
  if (!found) throw new Error(`The owner has no operation ${wanted}.`);
  return found;
}

const about = (operationId: string, summary: string) => ({
  operationId,
  tags: ['owner'],
  summary,
});

const STREAMS = {
  'application/x-ndjson': { summary: 'Export the log as JSON lines, each the exact stored text with its hash.' },
  'text/event-stream': {
    summary: 'Follow the log as server-sent events, the stored ones first.',
    parameters: [
      { name: 'after', in: 'query', description: 'The last seq you have.', schema: { type: 'integer', minimum: 0 } },
      { name: 'Last-Event-ID', in: 'header', description: 'The same, as browsers say it.', schema: { type: 'string' } },
    ],
  },
} as const;

const SIGNING = [
  ...(['INVALID_JSON', 'UNSUPPORTED_ENCODING', 'BODY_TOO_LARGE', 'UNAUTHORIZED', 'CROSS_SITE_REFUSED'] as const),
  ...(['RATE_LIMITED', 'INTERNAL'] as const),
] as const;

const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

function signInPaths(refusals: Refusals): Readonly<Record<string, PathItem>> {
  const signing = (operationId: string, summary: string, output: JsonSchema, request: object = {}): PathItem => ({
    post: {
      ...about(operationId, summary),
      security: [],
      ...request,
      responses: { 200: jsonResponse('OK', output), ...refusals.of(SIGNING) },
    },
  });
  const key = { required: true, content: jsonContent(objectOf({ owner_key: { type: 'string' } })) };
  const signedIn = objectOf({
    expires_at: { $ref: schemaPath('Time') },
    page_key: { type: 'string', description: 'Sent with the cookie as the header Parley-Page-Key.' },
  });
  return {
    [`${API}/sign-in`]: signing('sign_in', 'Exchange the owner key for a cookie and its page key.', signedIn, {
      requestBody: key,
    }),
    [`${API}/sign-out`]: signing(
      'sign_out',
      'End the sign-in of this browser.',
      objectOf({ signed_out: { const: true } }),
    ),
  };
}
