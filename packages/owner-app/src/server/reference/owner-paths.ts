import { groupBy, type InterfaceReference, type JsonSchema, type OwnerRouteReference } from '@parley/core';
import { kebabCase } from '@parley/core/routes';
import type { Paths } from './agent-paths.ts';
import {
  ACCOUNT_ID,
  inputOf,
  jsonContent,
  jsonResponse,
  KEY,
  type PathItem,
  PERSON_ID,
  PREFER,
  SESSION_ID,
  schemaPath,
} from './parts.ts';
import { type Refusals, refusalsIn } from './refusals.ts';

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
    operationId: idOf(route),
    summary,
    ...(all.length > 0 ? { parameters: all } : {}),
    ...body,
    responses: { 200: answer, ...refusals.of(route.refusals) },
  };
}

const snakeCase = (name: string): string => kebabCase(name).replaceAll('-', '_');

/** The id of a route in the document. Generated clients have it as a name. */
function idOf({ call, of, path }: OwnerRouteReference): string {
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
