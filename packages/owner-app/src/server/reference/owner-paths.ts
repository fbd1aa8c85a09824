import type { CallReference, InterfaceReference, JsonSchema, OperationReference } from '@parley/core';
import type { OwnerRoute, StreamRoute } from '../api/owner-route.ts';
import { OWNER_ROUTES, operationRoute } from '../api/owner-routes.ts';
import type { Paths } from './agent-paths.ts';
import {
  ACCOUNT_ID,
  groupBy,
  inputOf,
  jsonContent,
  jsonResponse,
  KEY,
  type PathItem,
  PERSON_ID,
  SESSION_ID,
  schemaPath,
} from './parts.ts';
import { type Refusals, refusalsIn } from './refusals.ts';

const API = '/owner/api';

/**
 * The paths of every route of the owner: sign-in and sign-out, the routes in `OWNER_ROUTES`, and the routes of the
 * owner operations.
 */
export function ownerPaths(reference: InterfaceReference): Paths {
  const { owner, ownerMethods, peopleMethods } = reference;
  const refusals = refusalsIn([...owner, ...Object.values(ownerMethods), ...Object.values(peopleMethods)]);
  const routes: readonly OwnerRoute[] = [
    ...Object.values(OWNER_ROUTES),
    ...owner.map(({ name, isRead }) => operationRoute({ name, effect: isRead ? 'read' : 'write' })),
  ];
  const items = Array.from(
    groupBy(routes, ({ path }) => path),
    ([path, sharing]) => {
      const methods = sharing.map(
        (route) =>
          [route.method.toLowerCase(), withKey(route, sharing, described(route, reference, refusals))] as const,
      );
      const ids = Object.entries(IDS).flatMap(([name, id]) => (path.includes(`{${name}}`) ? [id] : []));
      const parameters = sharing.some(({ method }) => method === 'GET') ? ids : [...ids, KEY];
      const shared = parameters.length > 0 ? { parameters } : {};
      return [`${API}${path}`, { ...shared, ...Object.fromEntries(methods) }] as const;
    },
  );
  return { paths: { ...signInPaths(refusals), ...Object.fromEntries(items) }, responses: refusals.responses };
}

const IDS = { session_id: SESSION_ID, person_id: PERSON_ID, account_id: ACCOUNT_ID };

function described(
  route: OwnerRoute,
  { owner, ownerMethods, peopleMethods, components }: InterfaceReference,
  refusals: Refusals,
) {
  if ('streams' in route) {
    if (route.streams === 'audit') return describedExport(route, ownerMethods.exportAudit, components, refusals);
    if (route.streams === 'people') return describedExport(route, peopleMethods.exportPeopleLog, components, refusals);
    const { type, summary, ...parameters } = STREAMS[route.streams];
    const result = {
      description: 'The log as JSON lines, or the events as server-sent events.',
      content: { [type]: { schema: { type: 'string' } } },
    };
    const responses = { 200: result, ...refusals.of(ownerMethods.verifyLog.refusals) };
    return { ...about(route.operationId, summary), ...parameters, responses };
  }
  const { method, operationId, describedBy } = route;
  const call: CallReference =
    'method' in describedBy
      ? ownerMethods[describedBy.method]
      : 'people' in describedBy
        ? peopleMethods[describedBy.people]
        : operationNamed(owner, describedBy.operation);
  return {
    ...about(operationId, call.summary),
    ...inputOf(method, call, components),
    responses: { 200: jsonResponse('OK', call.output), ...refusals.of(call.refusals) },
  };
}

/** Adds the header of a write, unless all routes of the path have it, because none of them is a read. */
const withKey = ({ method }: OwnerRoute, sharing: readonly OwnerRoute[], item: object): object =>
  method !== 'GET' && sharing.some((other) => other.method === 'GET') ? { ...item, parameters: [KEY] } : item;

/** Describes a route that exports JSON lines, each with a value of the same schema. */
function describedExport(
  { method, operationId }: StreamRoute,
  call: CallReference,
  components: InterfaceReference['components'],
  refusals: Refusals,
) {
  const lines = {
    description: 'A JSON value on each line.',
    content: { 'application/x-ndjson': { schema: call.output } },
  };
  return {
    ...about(operationId, call.summary),
    ...inputOf(method, call, components),
    responses: { 200: lines, ...refusals.of(call.refusals) },
  };
}

function operationNamed(operations: readonly OperationReference[], wanted: string): OperationReference {
  const found = operations.find(({ name }) => name === wanted);
  if (!found) throw new Error(`The owner has no operation ${wanted}.`);
  return found;
}

const about = (operationId: string, summary: string) => ({
  operationId,
  summary,
});

const STREAMS = {
  log: {
    type: 'application/x-ndjson',
    summary: 'Export the log as JSON lines. Each contains the exact stored text of an event and its hash.',
  },
  events: {
    type: 'text/event-stream',
    summary: 'Follow the log as server-sent events: first the stored events, then each new one.',
    parameters: [
      {
        name: 'after',
        in: 'query',
        description: 'seq of the last event that you have.',
        schema: { type: 'integer', minimum: 0 },
      },
      {
        name: 'last',
        in: 'query',
        description: 'Begin this many events before the end of the log.',
        schema: { type: 'integer', minimum: 0 },
      },
      {
        name: 'until',
        in: 'query',
        description: 'seq of the event after which the stream ends.',
        schema: { type: 'integer', minimum: 0 },
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'Used in place of after; browsers send it when they reconnect.',
        schema: { type: 'string' },
      },
    ],
  },
} as const;

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
      ...about(operationId, summary),
      security: [],
      ...request,
      responses: { 200: jsonResponse('OK', output), ...refusals.of(SIGNING) },
    },
  });
  const key = { required: true, content: jsonContent(objectOf({ owner_key: { type: 'string' } })) };
  const signedIn = { $ref: schemaPath('PageSignIn') };
  const waysIn = {
    ...about('ways_to_sign_in', 'Whether people can also sign in with company accounts.'),
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
