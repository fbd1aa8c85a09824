import type { z } from 'zod';
import { NoInput } from './areas/fields.ts';
import { fail } from './kernel/errors.ts';
import { quotedName } from './kernel/text/safe-echo.ts';
import { OWNER_METHODS } from './owner/methods.ts';
import { type Owner, type OwnerListing, ownerListings } from './owner/owner.ts';
import { PEOPLE_METHODS, type PeopleCalls } from './people/methods.ts';
import { kebabCase } from './routes.ts';

/** A route of the owner's HTTP API, and the call that it makes. */
export interface OwnerRoute {
  /** Name of the call, such as `pause` or `addPerson`. */
  readonly call: string;
  /** Whether the call is an operation on one session, or one of the methods of the owner or of the people. */
  readonly of: 'session' | 'owner' | 'people';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the prefix of the API. `{session_id}`, `{person_id}` and `{account_id}` are placeholders for ids. */
  readonly path: string;
  readonly input: z.ZodType;
  /** Whether the input is in the body. */
  readonly readsBody: boolean;
  /** What the answer consists of, if it is not one JSON object: JSON lines or server-sent events. */
  readonly streams?: 'lines' | 'events';
}

const SESSION = '/sessions/{session_id}';

const methodRoutes = (
  of: 'owner' | 'people',
  methods: Readonly<Record<string, Pick<OwnerRoute, 'method' | 'path' | 'input' | 'streams'>>>,
) =>
  Object.entries(methods).map(([call, { method, path, input, streams }]): OwnerRoute => {
    const route = { call, of, method, path, input, readsBody: method === 'POST' && input !== NoInput };
    return streams ? { ...route, streams } : route;
  });

/** The route of an operation: a GET with a query for a read, a POST with a body for a write. */
const operationRoute = ({ name, effect, input }: Pick<OwnerListing, 'name' | 'effect' | 'input'>): OwnerRoute => {
  const method = effect === 'read' ? 'GET' : 'POST';
  const path = `${SESSION}/${kebabCase(name)}`;
  return { call: name, of: 'session', method, path, input, readsBody: method === 'POST' };
};

/** The short route of the view of a session. */
const viewRoutes = (operations: readonly OwnerListing[]): OwnerRoute[] =>
  operations.filter(({ name }) => name === 'view').map((view) => ({ ...operationRoute(view), path: SESSION }));

/**
 * Every route of the owner's HTTP API, in the order of its document.
 *
 * @param operations the operations on one session; default: the operations of core
 */
export function ownerRoutes(operations: readonly OwnerListing[] = ownerListings): readonly OwnerRoute[] {
  const methods = [...methodRoutes('owner', OWNER_METHODS), ...methodRoutes('people', PEOPLE_METHODS)];
  const isOnSessions = ({ path }: OwnerRoute): boolean => path.startsWith('/sessions');
  return [
    ...methods.filter((route) => !isOnSessions(route)),
    ...methods.filter(({ path }) => path === '/sessions'),
    ...viewRoutes(operations),
    ...methods.filter(({ path }) => path.startsWith(SESSION)),
    ...operations.map(operationRoute),
  ];
}

/** The calls of one owner, and a function that returns the calls about people. */
export interface RouteCalls {
  readonly owner: Owner;
  readonly people: () => PeopleCalls;
}

/**
 * Makes the call of a route.
 *
 * @param ids the ids in the path, in its order
 * @returns a promise of the answer; for a route that streams, the lines or events
 */
export function callOf({ call, of }: OwnerRoute, { owner, people }: RouteCalls) {
  if (of === 'session') return (ids: readonly string[], input: unknown) => owner.call(call, ids[0] ?? '', input);
  const target = of === 'people' ? people() : owner;
  const run: unknown = Reflect.get(target, call);
  if (typeof run !== 'function') return fail('NOT_FOUND', `There is no call ${quotedName(call)}.`);
  return (ids: readonly string[], input: unknown) => run.call(target, ...ids, input);
}
