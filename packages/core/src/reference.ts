import type { z } from 'zod';
import { sessionCatalog } from './areas/catalog.ts';
import { ownerOperations } from './areas/owner-registry.ts';
import { operations } from './areas/registry.ts';
import type { SessionState } from './areas/state.ts';
import type { RuleFacts } from './areas/validation/rule.ts';
import { RULE_LIST } from './areas/validation/rule-list.ts';
import type { ErrorCode } from './kernel/error-kinds.ts';
import type { Audience, EventCatalog } from './kernel/log/event-catalog.ts';
import { type JsonSchema, outputSchema } from './kernel/operation/json-schema.ts';
import { nameSchemas } from './kernel/operation/named-schemas.ts';
import type { Access, Operation } from './kernel/operation/operation.ts';
import { refusalsOf, refusalsOfOwner } from './kernel/operation/refusals.ts';
import { OWNER_METHODS, type OwnerMethod } from './owner-methods.ts';

/** A REST route of an operation. `path` is below `/sessions/{session_id}/`, or below the prefix for calls without a token. */
export interface RouteReference {
  readonly by: 'anyone' | 'builder' | 'moderator';
  readonly method: string;
  readonly path: string;
}

/** Input, output and errors of a call. */
export interface CallReference {
  readonly summary: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Every error code that a request over HTTP can get, including the codes of the checks before the operation. */
  readonly refusals: readonly ErrorCode[];
}

/** One operation as the generated documents show it. */
export interface OperationReference extends CallReference {
  readonly name: string;
  /** The route, such as `POST decisions/accept`. Null for a tool without a route, and for the owner's operations. */
  readonly route: string | null;
  /** The routes by caller, as hosts serve them. */
  readonly routes: readonly RouteReference[];
  readonly access: Access;
  readonly isRead: boolean;
  readonly phases: readonly string[];
  /**
   * Whether the operation works in DRAFT and PAUSED. `moderator`: it works for the moderator alone, and in PAUSED but not in
   * DRAFT.
   */
  readonly worksWhilePaused: boolean | 'moderator';
  readonly worksAfterEnd: boolean;
  /** The operation's own error codes. Codes that every call can raise are not among them. */
  readonly errors: readonly ErrorCode[];
  /** Whether a call with a repeated idempotency key gets the answer of the first call. */
  readonly takesKeys: boolean;
}

/** One kind of event as the generated documents show it. */
export interface EventReference {
  readonly kind: string;
  readonly version: number;
  readonly seenBy: Audience;
  readonly message: boolean | 'standalone';
  /** Members of the data that the owner can read at once. Agents can read them only after the session has disclosed them. */
  readonly withheld: readonly string[];
  /** Members that the transcript and the event feed leave out. */
  readonly omitted: readonly string[];
  readonly data: JsonSchema;
}

/** Every operation of the registry, with complete schemas: the agents' operations, and the owner's. */
export const describeOperations = (): { agents: OperationReference[]; owner: OperationReference[] } => ({
  agents: operations.map((operation) => describe(operation, schemasOf(operation))),
  owner: ownerOperations.map((operation) => describe(operation, schemasOf(operation))),
});

/** The registry for OpenAPI documents: named schemas are listed separately, and operations refer to them. */
export interface InterfaceReference {
  readonly agents: readonly OperationReference[];
  readonly owner: readonly OperationReference[];
  /** The owner's methods that are not operations on one session. */
  readonly ownerMethods: Readonly<Record<OwnerMethod, CallReference>>;
  /** Each named schema, by its name. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/**
 * Describes the registry for an OpenAPI document.
 *
 * @param pathOf returns the reference to a named schema, such as `#/components/schemas/Decision`
 */
export function describeInterface(pathOf: (name: string) => string): InterfaceReference {
  const all = [...operations, ...ownerOperations, ...Object.values(OWNER_METHODS)];
  const schemas = nameSchemas(
    all.map(({ input }) => input),
    all.map(({ output }) => output),
    pathOf,
  );
  const schemasIn = ({ input, output }: { input: z.ZodType; output: z.ZodType }): Schemas => ({
    input: schemas.input(input),
    output: schemas.output(output),
  });
  const ofOwner = (name: OwnerMethod): CallReference => {
    const { summary, method, errors, ...call } = OWNER_METHODS[name];
    return { summary, refusals: refusalsOfOwner(method, errors), ...schemasIn(call) };
  };
  return {
    agents: operations.map((operation) => describe(operation, schemasIn(operation))),
    owner: ownerOperations.map((operation) => describe(operation, schemasIn(operation))),
    ownerMethods: {
      createSession: ofOwner('createSession'),
      listSessions: ofOwner('listSessions'),
      overview: ofOwner('overview'),
      setModeratorEntitlement: ofOwner('setModeratorEntitlement'),
      deleteSession: ofOwner('deleteSession'),
      verifyLog: ofOwner('verifyLog'),
    },
    components: schemas.components,
  };
}

export const describeEvents = (catalog: EventCatalog = sessionCatalog): EventReference[] =>
  Object.entries(catalog).map(([kind, { v, seenBy, message, withheld = [], omit = [], data }]) => ({
    kind,
    version: v,
    seenBy,
    message,
    withheld,
    omitted: ['in_turn', ...omit],
    data: outputSchema(data),
  }));

/** One rule of contract validation as the generated documents show it: code, severity, reason and correction. */
export type RuleReference = RuleFacts;

/** Every rule of contract validation. An answer lists issues in this order. */
export const describeRules = (): readonly RuleReference[] => RULE_LIST;

type Schemas = Pick<CallReference, 'input' | 'output'>;

const schemasOf = ({ inputSchema: input, output }: Operation<SessionState>): Schemas => ({
  input,
  output: outputSchema(output),
});

function describe(operation: Operation<SessionState>, schemas: Schemas): OperationReference {
  const { name, summary, access, phases = [], errors } = operation;
  const { worksWhilePaused = false, worksAfterEnd = false } = operation;
  const isRead = operation.decide === undefined;
  const route = routeText(operation);
  return {
    name,
    summary,
    route,
    routes: routesOf(operation),
    access,
    isRead,
    phases,
    worksWhilePaused,
    worksAfterEnd,
    ...schemas,
    errors,
    refusals: refusalsOf(operation, methodOf(operation)),
    takesKeys: operation.findIdempotencyRecord !== undefined,
  };
}

/** The HTTP method of an operation. The owner's operations have no route in the registry: a write is POST, a read is GET. */
function methodOf({ rest, decide }: Operation<SessionState>): string {
  const route = typeof rest === 'object' ? rest.builder : rest;
  return route?.split(' ')[0] ?? (decide ? 'POST' : 'GET');
}

function routesOf({ rest, access }: Operation<SessionState>): RouteReference[] {
  if (rest === undefined) return [];
  return (['anyone', 'builder', 'moderator'] as const).flatMap((by) => {
    if (access[by] === undefined) return [];
    const text = typeof rest === 'string' ? rest : rest[by === 'moderator' ? 'moderator' : 'builder'];
    const [method = '', path = ''] = text.split(' ');
    return [{ by, method, path }];
  });
}

function routeText({ rest }: Operation<SessionState>): string | null {
  if (rest === undefined || typeof rest === 'string') return rest ?? null;
  return `${rest.builder} (moderator: ${rest.moderator})`;
}
