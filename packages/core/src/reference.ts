import type { z } from 'zod';
import { sessionCatalog } from './areas/catalog.ts';
import { ownerOperations } from './areas/owner-registry.ts';
import { operations } from './areas/registry.ts';
import type { SessionState } from './areas/state.ts';
import type { RuleFacts } from './areas/validation/rule.ts';
import { RULE_LIST } from './areas/validation/validate.ts';
import type { ErrorCode } from './kernel/errors.ts';
import type { Audience, EventCatalog } from './kernel/log/event-catalog.ts';
import { type JsonSchema, nameSchemas, outputSchema } from './kernel/operation/json-schema.ts';
import { type Access, type Operation, type OwnerDialog, roleNeeded } from './kernel/operation/operation.ts';
import { errorsOfOwner, refusalsOf, refusalsOfOwner } from './kernel/operation/refusals.ts';
import type { PersonRole } from './kernel/person.ts';
import { OWNER_METHODS } from './owner/methods.ts';
import { erasureEvents } from './owner/retention.ts';
import { type OwnerRoute, ownerRoutes } from './owner-routes.ts';
import { PEOPLE_METHODS } from './people/methods.ts';
import { peopleEvents } from './people/state.ts';

/**
 * A REST route of an operation. `path` is relative to `/sessions/{session_id}/`; for an operation without a token, it begins with a
 * slash and is relative to the prefix of the host.
 */
export interface RouteReference {
  readonly by: 'anyone' | 'builder' | 'moderator';
  readonly method: string;
  readonly path: string;
}

/** Input, output and errors of one call. */
export interface CallReference {
  readonly summary: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Every error code with which an HTTP request can be refused, including the codes of the checks before the operation. */
  readonly refusals: readonly ErrorCode[];
}

/** One operation as the generated documents show it. */
export interface OperationReference extends CallReference {
  readonly name: string;
  /** The route, such as `POST decisions/accept`. Null for a tool without a route and for an operation of the owner. */
  readonly route: string | null;
  /** The routes of the operation, one for each kind of caller, as hosts serve them. */
  readonly routes: readonly RouteReference[];
  readonly access: Access;
  readonly isRead: boolean;
  readonly phases: readonly string[];
  /** Whether the operation works in DRAFT and PAUSED. `moderator`: only for the moderator, and only in PAUSED. */
  readonly worksWhilePaused: boolean | 'moderator';
  readonly worksAfterEnd: boolean;
  /** The operation's own error codes, without the codes that every call can return. */
  readonly errors: readonly ErrorCode[];
  /** Whether a repeated call with the same idempotency key gets the answer of the first call. */
  readonly takesKeys: boolean;
}

/** One kind of event as the generated documents show it. */
export interface EventReference {
  readonly kind: string;
  readonly version: number;
  readonly seenBy: Audience;
  readonly message: boolean | 'standalone';
  /** Members of the data that agents can read only after the session has disclosed them. The owner can always read them. */
  readonly withheld: readonly string[];
  /** Members that the transcript and the event feed leave out. */
  readonly omitted: readonly string[];
  readonly data: JsonSchema;
}

/** All operations of the agents and of the owner, with complete schemas. */
export const describeOperations = (): { agents: OperationReference[]; owner: OperationReference[] } => ({
  agents: operations.map((operation) => describe(operation, schemasOf(operation))),
  owner: ownerOperations.map((operation) => describe(operation, schemasOf(operation))),
});

/** A text of a call that a dialog asks for. */
interface DialogField {
  readonly name: string;
  readonly isRequired: boolean;
  /** Number of lines of its field; 0 for a text on one line. */
  readonly rows: number;
}

/** The dialog of an operation of the owner, as the console shows it. */
export interface DialogReference extends OwnerDialog {
  /** The role that a person needs for the call. */
  readonly needs: PersonRole;
  /** The members of the input, without those that name the event that the owner has seen. */
  readonly fields: readonly DialogField[];
  /** Whether the call says which event the owner has seen. */
  readonly isGrounded: boolean;
}

type WithDialog = Pick<Operation<SessionState>, 'name' | 'access' | 'dialog' | 'inputSchema'> & {
  readonly decide?: unknown;
};

/** Longest text of a field with one line, in characters. */
const LINE_CHARS = 200;

/** The dialogs of the operations of the owner that have one, by the name of the operation. */
export const describeDialogs = (): Readonly<Record<string, DialogReference>> =>
  Object.fromEntries(
    ownerOperations.flatMap((operation: WithDialog) => {
      const { name, dialog, inputSchema } = operation;
      if (!dialog) return [];
      const { seen, seen_hash, ...members } = inputSchema.properties ?? {};
      const fields = Object.entries(members).map(([member, { maxLength }]) => ({
        name: member,
        isRequired: inputSchema.required?.includes(member) === true,
        rows: Number(maxLength) <= LINE_CHARS ? 0 : 3,
      }));
      return [[name, { ...dialog, needs: roleNeeded(operation), fields, isGrounded: seen !== undefined }]];
    }),
  );

/** A route of the owner's HTTP API, with the call that it makes. */
export type OwnerRouteReference = Omit<OwnerRoute, 'input'> & CallReference;

/** All calls for OpenAPI documents. Their schemas refer to the named schemas in `components`. */
export interface InterfaceReference {
  readonly agents: readonly OperationReference[];
  /** A call with two routes stands here twice. */
  readonly owner: readonly OwnerRouteReference[];
  /** The schemas to which the schemas of the calls refer, by their names. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/**
 * Describes every call for an OpenAPI document.
 *
 * @param pathOf returns the reference to a named schema, such as `#/components/schemas/Decision`
 */
export function describeInterface(pathOf: (name: string) => string): InterfaceReference {
  const all = [...operations, ...Object.values(OWNER_CALLS)];
  const schemas = nameSchemas(
    all.map(({ input }) => input),
    all.map(({ output }) => output),
    pathOf,
  );
  const schemasIn = ({ input, output }: { input: z.ZodType; output: z.ZodType }): Schemas => ({
    input: schemas.input(input),
    output: schemas.output(output),
  });
  return {
    agents: operations.map((operation) => describe(operation, schemasIn(operation))),
    owner: ownerRoutes().flatMap((route) => {
      const call = OWNER_CALLS[route.call];
      if (!call) return [];
      const { summary, errors } = call;
      return [{ ...route, summary, ...schemasIn(call), refusals: refusalsOfOwner(route.method, errors) }];
    }),
    components: schemas.components,
  };
}

/** What the documents say about a call of the owner. */
interface Described {
  readonly summary: string;
  readonly errors: readonly ErrorCode[];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** Every call of the owner, by its name. */
const OWNER_CALLS: Readonly<Record<string, Described>> = {
  ...Object.fromEntries(
    ownerOperations.map(({ name, ...operation }) => [name, { ...operation, errors: errorsOfOwner(operation) }]),
  ),
  ...OWNER_METHODS,
  ...PEOPLE_METHODS,
};

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

/** Describes the events of sessions, of people and of erased sessions: every event that the owner's answers contain. */
export const describeAllEvents = (): EventReference[] =>
  describeEvents({ ...sessionCatalog, ...peopleEvents, ...erasureEvents });

/** One rule of the contract validation, as the generated documents show it: code, severity, explanation and hint. */
export type RuleReference = RuleFacts;

/** Every rule of the contract validation, in the order in which answers list their issues. */
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

/**
 * The HTTP method of an operation. An operation of the owner has no route in the registry: its method is POST for a write and GET
 * for a read.
 */
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
