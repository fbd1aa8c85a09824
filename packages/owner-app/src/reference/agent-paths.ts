import type { ErrorCode, OperationReference, RouteReference } from '@parley/core';
import {
  groupBy,
  jsonBody,
  jsonResponse,
  type PathItem,
  queryParameters,
  refusals,
  SESSION_PARAMETER,
} from './parts.ts';

const PREFIX = '/api/public/agent';

/** What every call with a token can be refused with. */
const WITH_TOKEN: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'TOKEN_REVOKED',
  'TOKEN_EXPIRED',
  'WRONG_SESSION',
  'RATE_LIMITED',
];
const WRITES: readonly ErrorCode[] = ['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_ENCODING', 'SESSION_ENDED'];

/** One route with the operation it serves for one kind of caller. */
interface Served {
  readonly route: RouteReference;
  readonly operation: OperationReference;
}

/** Every route of the agents. Where two roles share one, the answer is that of the role that asks. */
export function agentPaths(operations: readonly OperationReference[]): Readonly<Record<string, PathItem>> {
  const served = operations.flatMap((operation) => operation.routes.map((route) => ({ route, operation })));
  const byPath = groupBy(served, ({ route }) => fullPath(route));
  return Object.fromEntries([...byPath].map(([path, all]) => [path, pathItem(all)]));
}

const fullPath = ({ by, path }: RouteReference): string =>
  by === 'anyone' ? `${PREFIX}${path}` : `${PREFIX}/sessions/{session_id}/${path}`;

function pathItem(all: readonly Served[]): PathItem {
  const methods = [...groupBy(all, ({ route }) => route.method.toLowerCase())];
  const isOpen = all.some(({ route }) => route.by === 'anyone');
  return {
    ...(isOpen ? {} : { parameters: [SESSION_PARAMETER] }),
    ...Object.fromEntries(methods.map(([method, shared]) => [method, describe(shared)])),
  };
}

function describe(shared: readonly Served[]) {
  const operations = [...new Set(shared.map(({ operation }) => operation))];
  const [first] = operations;
  if (!first) throw new Error('A path serves nothing.');
  const outputs = operations.map(({ output }) => output);
  const isRead = shared.some(({ route }) => route.method === 'GET');
  const isOpen = shared.some(({ route }) => route.by === 'anyone');
  const codes = operations.flatMap(({ errors }) => errors);
  const usual = isOpen ? [] : [...WITH_TOKEN, ...(isRead ? [] : WRITES)];
  return {
    operationId: [...new Set(shared.map(idOf))].join('_or_'),
    tags: shared.map(({ route }) => route.by),
    summary: first.summary,
    description: shared.map(({ route, operation }) => grantText(route, operation)).join(' '),
    security: isOpen ? [] : [{ agentToken: [] }],
    ...(isRead ? { parameters: queryParameters(first.input) } : { requestBody: jsonBody(first.input) }),
    responses: {
      200: jsonResponse('The result.', outputs.length === 1 ? first.output : { anyOf: outputs }),
      ...refusals([...codes, ...usual, 'INVALID_INPUT']),
    },
  };
}

/** An operation that has a route of its own for each role is named by the role as well. */
function idOf({ route: { by }, operation: { name, routes } }: Served): string {
  const isSplit = new Set(routes.map(({ path }) => path)).size > 1;
  return isSplit ? `${by}_${name}` : name;
}

function grantText({ by }: RouteReference, { name, access, phases }: OperationReference): string {
  const grant = by === 'builder' ? access.builder : by === 'moderator' ? access.moderator : undefined;
  const needed =
    typeof grant === 'string' ? `, with ${by === 'builder' ? 'the scope' : 'the permission'} ${grant}` : '';
  const when = phases.length > 0 ? ` Works in ${phases.join(', ')}.` : '';
  return `${name}: for ${by === 'anyone' ? 'anybody' : `a ${by}`}${needed}.${when}`;
}
