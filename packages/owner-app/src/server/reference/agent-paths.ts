import type { ErrorCode, InterfaceReference, JsonSchema, OperationReference, RouteReference } from '@parley/core';
import { groupBy, inputOf, jsonResponse, type PathItem, SESSION_ID } from './parts.ts';
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
