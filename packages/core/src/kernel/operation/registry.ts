import { type Agent, isBuilder } from '../roles.ts';
import type { RouteListing, ToolFacts } from './host-port.ts';
import { effectOf, type Operation, type RestRoute } from './operation.ts';

type RoleClass = 'builder' | 'moderator';

/**
 * The operations of one path: for each method, the operation that builders call and the operation that the moderator
 * calls.
 */
export interface RouteEntry<S> {
  readonly methods: ReadonlyMap<string, Readonly<Partial<Record<RoleClass, Operation<S>>>>>;
}

export interface Registry<S> {
  readonly operations: readonly Operation<S>[];
  /** Operations that need no token, by `METHOD /path`. */
  readonly open: ReadonlyMap<string, Operation<S>>;
  /** Routes of a session, by the part of the path after `/sessions/{id}/`. */
  readonly routes: ReadonlyMap<string, RouteEntry<S>>;
  /** The tools of each role, the most needed first. */
  readonly tools: Readonly<Record<Agent, readonly ToolFacts[]>>;
  /** Finds a tool that the role may call, by the name or by an older name of the tool. */
  tool(role: Agent, name: string): Operation<S> | undefined;
  /** Every route that hosts serve. */
  allRoutes(): readonly RouteListing[];
}

/**
 * Older names of tools, each with its present name. `tools/call` accepts older names; `tools/list` contains only present names
 * (Spec 4.3).
 */
export type OlderNames = Readonly<Partial<Record<RoleClass, Readonly<Record<string, string>>>>>;

export const roleClass = (role: Agent): RoleClass => (isBuilder(role) ? 'builder' : 'moderator');

/**
 * Creates the tables in which operations are found by name and by route.
 *
 * @throws Error if two operations of one role have the same name or route, so that the program does not start
 */
export function createRegistry<S>(operations: readonly Operation<S>[], olderNames: OlderNames = {}): Registry<S> {
  const byName = {
    builder: toolsOf(operations, 'builder', olderNames),
    moderator: toolsOf(operations, 'moderator', olderNames),
  };
  const open = new Map<string, Operation<S>>();
  const routes = new Map<string, MutableEntry<S>>();
  for (const operation of operations) addRoutes(operation, open, routes);
  const facts = { builder: toolFacts(operations, 'builder'), moderator: toolFacts(operations, 'moderator') };
  return {
    operations,
    open,
    routes,
    tools: { agent_a: facts.builder, agent_b: facts.builder, moderator: facts.moderator },
    tool: (role, name) => byName[roleClass(role)].get(name),
    allRoutes: () => [...Array.from(open.keys(), readRoute), ...sessionRoutes(routes)],
  };
}

interface MutableEntry<S> {
  readonly methods: Map<string, Partial<Record<RoleClass, Operation<S>>>>;
}

const hasAccess = <S>({ access }: Operation<S>, kind: RoleClass): boolean => access[kind] !== undefined;

function toolsOf<S>(
  operations: readonly Operation<S>[],
  kind: RoleClass,
  older: OlderNames,
): Map<string, Operation<S>> {
  const tools = new Map<string, Operation<S>>();
  for (const operation of operations.filter((candidate) => hasAccess(candidate, kind))) {
    if (tools.has(operation.name)) throw new Error(`Two ${kind} tools are named ${operation.name}.`);
    tools.set(operation.name, operation);
  }
  for (const [oldName, name] of Object.entries(older[kind] ?? {})) addOlderName(tools, oldName, name);
  return tools;
}

function addOlderName<S>(tools: Map<string, Operation<S>>, oldName: string, name: string): void {
  const operation = tools.get(name);
  if (!operation) return;
  if (tools.has(oldName))
    throw new Error(`The older name ${oldName} of the tool ${name} is already the name of a tool.`);
  tools.set(oldName, operation);
}

function addRoutes<S>(
  operation: Operation<S>,
  open: Map<string, Operation<S>>,
  routes: Map<string, MutableEntry<S>>,
): void {
  if (!operation.rest) return;
  if (operation.access.anyone && typeof operation.rest === 'string') {
    if (open.has(operation.rest)) throw new Error(`Two operations serve ${operation.rest}.`);
    open.set(operation.rest, operation);
    return;
  }
  for (const kind of ['builder', 'moderator'] as const) {
    const route = typeof operation.rest === 'string' ? operation.rest : operation.rest[kind];
    if (hasAccess(operation, kind)) addRoute(routes, route, kind, operation);
  }
}

function addRoute<S>(
  routes: Map<string, MutableEntry<S>>,
  route: RestRoute,
  kind: RoleClass,
  operation: Operation<S>,
): void {
  const { method, path } = readRoute(route);
  const entry = routes.get(path) ?? { methods: new Map() };
  const byRole = entry.methods.get(method) ?? {};
  if (byRole[kind]) throw new Error(`Two ${kind} operations serve ${route}.`);
  entry.methods.set(method, { ...byRole, [kind]: operation });
  routes.set(path, entry);
}

function readRoute(route: string): RouteListing {
  const [method = '', path = ''] = route.split(' ');
  return { method: method === 'POST' ? 'POST' : 'GET', path };
}

function sessionRoutes<S>(routes: ReadonlyMap<string, RouteEntry<S>>): RouteListing[] {
  return Array.from(routes, ([path, { methods }]) =>
    Array.from(methods.keys(), (method) => ({ ...readRoute(method), path: `/sessions/:session_id/${path}` })),
  ).flat();
}

function toolFacts<S>(operations: readonly Operation<S>[], kind: RoleClass): ToolFacts[] {
  return operations
    .filter((operation) => hasAccess(operation, kind) && !operation.restOnly)
    .map(({ name, summary, decide, findIdempotencyRecord, reads, documents, inputSchema }) => ({
      name,
      summary,
      effect: effectOf({ decide }),
      takesIdempotencyKey: findIdempotencyRecord !== undefined,
      readsTexts: reads !== undefined || documents !== undefined,
      inputSchema,
    }));
}
