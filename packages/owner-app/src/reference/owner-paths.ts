import type { JsonSchema, OperationReference } from '@parley/core';
import { kebabCase } from '../api/kebab.ts';
import { jsonBody, jsonResponse, type PathItem, queryParameters, refusals, SESSION_PARAMETER } from './parts.ts';

const SESSIONS = '/owner/api/sessions';
const SECURITY = [{ ownerKey: [] }, { ownerCookie: [], ownerPageKey: [] }] as const;
const ANY: JsonSchema = { type: 'object' };
const PAGE: JsonSchema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1 },
    after: { type: 'string', description: 'The last session_id of the page before.' },
  },
};
const FLAG: JsonSchema = { type: 'object', properties: { entitled: { type: 'boolean' } }, required: ['entitled'] };
const KEY: JsonSchema = { type: 'object', properties: { owner_key: { type: 'string' } }, required: ['owner_key'] };

const SIGNED_IN: JsonSchema = {
  type: 'object',
  properties: {
    expires_at: { type: 'string', format: 'date-time' },
    page_key: { type: 'string', description: 'Sent with the cookie as the header Parley-Page-Key.' },
  },
  required: ['expires_at', 'page_key'],
};

interface Described {
  readonly summary: string;
  readonly query?: JsonSchema;
  readonly body?: JsonSchema;
  readonly output?: JsonSchema;
  readonly type?: string;
}

const SIGN_IN: Described = {
  summary: 'Exchange the owner key for a cookie and the page key that belongs to it.',
  body: KEY,
  output: SIGNED_IN,
};

/** Every route of the owner: those of each session, derived from its operations, and those beside them. */
export function ownerPaths(
  operations: readonly OperationReference[],
  newSession: JsonSchema,
): Readonly<Record<string, PathItem>> {
  return {
    '/owner/api/sign-in': {
      post: { ...describe('sign_in', SIGN_IN), security: [] },
    },
    '/owner/api/sign-out': {
      post: { ...describe('sign_out', { summary: 'End the sign-in of this browser.' }), security: [] },
    },
    '/owner/api/overview': {
      get: describe('overview', {
        summary: 'Sessions at a glance: whose move it is, what waits for you.',
        query: PAGE,
      }),
    },
    '/owner/api/moderator-entitlement': {
      post: describe('set_moderator_entitlement', {
        summary: 'Say whether you have moderators, in all your sessions.',
        body: FLAG,
      }),
    },
    [SESSIONS]: {
      get: describe('list_sessions', { summary: 'List your sessions, newest first.', query: PAGE }),
      post: describe('create_session', { summary: 'Open a session.', body: newSession }),
    },
    [`${SESSIONS}/{session_id}`]: {
      parameters: [SESSION_PARAMETER],
      get: describe('view_session', operationFacts(operations, 'view')),
      delete: describe('delete_session', { summary: 'Erase a session: every event, contract and artifact.' }),
    },
    ...sessionPath('log', {
      summary: 'Export the log as JSON lines, each the exact stored text.',
      type: 'application/jsonl',
    }),
    ...sessionPath('verify-log', { summary: 'Walk the chain of hashes and name the first broken event.' }),
    ...sessionPath('events', {
      summary: 'Follow the log as server-sent events; Last-Event-ID resumes.',
      type: 'text/event-stream',
    }),
    ...Object.fromEntries(operations.map(operationPath)),
  };
}

function operationPath({ name, summary, input, output, isRead }: OperationReference): [string, PathItem] {
  const described = { summary, output, ...(isRead ? { query: input } : { body: input }) };
  const operation = describe(`owner_${kebabCase(name).replaceAll('-', '_')}`, described);
  return [
    `${SESSIONS}/{session_id}/${kebabCase(name)}`,
    { parameters: [SESSION_PARAMETER], [isRead ? 'get' : 'post']: operation },
  ];
}

const sessionPath = (route: string, described: Described): Readonly<Record<string, PathItem>> => ({
  [`${SESSIONS}/{session_id}/${route}`]: {
    parameters: [SESSION_PARAMETER],
    get: describe(`session_${route.replaceAll('-', '_')}`, described),
  },
});

function operationFacts(operations: readonly OperationReference[], wanted: string): Described {
  const found = operations.find(({ name }) => name === wanted);
  return { summary: found?.summary ?? '', output: found?.output ?? ANY };
}

function describe(operationId: string, { summary, query, body, output = ANY, type }: Described) {
  const result = type
    ? { description: summary, content: { [type]: { schema: { type: 'string' } } } }
    : jsonResponse('The result.', output);
  return {
    operationId,
    tags: ['owner'],
    summary,
    security: SECURITY,
    ...(query ? { parameters: queryParameters(query) } : {}),
    ...(body ? { requestBody: jsonBody(body) } : {}),
    responses: { 200: result, ...refusals(['UNAUTHORIZED', 'UNKNOWN_RECORD', 'INVALID_TRANSITION', 'INVALID_INPUT']) },
  };
}
