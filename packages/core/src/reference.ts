import { sessionCatalog } from './areas/catalog.ts';
import { CreateSessionInput } from './areas/owner/create-session.ts';
import { ownerOperations } from './areas/owner-registry.ts';
import { operations } from './areas/registry.ts';
import type { SessionState } from './areas/state.ts';
import type { RuleFacts } from './areas/validation/rule.ts';
import { RULE_LIST } from './areas/validation/rule-list.ts';
import type { ErrorCode } from './kernel/errors.ts';
import type { Audience, EventCatalog } from './kernel/event-catalog.ts';
import { type JsonSchema, outputSchema, publishedSchema } from './kernel/json-schema.ts';
import type { Access, Operation } from './kernel/operation.ts';

/** One way to an operation over REST; `path` stands below `/sessions/{session_id}/`, or below the prefix for anybody. */
export interface RouteReference {
  readonly by: 'anyone' | 'builder' | 'moderator';
  readonly method: string;
  readonly path: string;
}

/** One operation as the generated documents show it. */
export interface OperationReference {
  readonly name: string;
  readonly summary: string;
  /** `POST decisions/accept`; null for tools without a route and for the owner's operations. */
  readonly route: string | null;
  /** The same by who calls it, as hosts serve it. */
  readonly routes: readonly RouteReference[];
  readonly access: Access;
  readonly isRead: boolean;
  readonly phases: readonly string[];
  /** `moderator`: for the moderator alone, and not before the start. */
  readonly worksWhilePaused: boolean | 'moderator';
  readonly worksAfterEnd: boolean;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Beyond those that every call can raise. */
  readonly errors: readonly ErrorCode[];
}

/** One kind of event as the generated documents show it. */
export interface EventReference {
  readonly kind: string;
  readonly version: number;
  readonly seenBy: Audience;
  readonly message: boolean | 'standalone';
  readonly data: JsonSchema;
}

/** Everything the registry holds, the agents' operations first, for documents and API descriptions. */
export const describeOperations = (): { agents: OperationReference[]; owner: OperationReference[] } => ({
  agents: operations.map((operation) => describe(operation)),
  owner: ownerOperations.map((operation) => describe(operation)),
});

export const describeEvents = (catalog: EventCatalog = sessionCatalog): EventReference[] =>
  Object.entries(catalog).map(([kind, { v, seenBy, message, data }]) => ({
    kind,
    version: v,
    seenBy,
    message,
    data: outputSchema(data),
  }));

/** One rule of contract validation as the generated documents show it: code, severity, why, and what to do. */
export type RuleReference = RuleFacts;

/** Every rule of contract validation, in the order in which issues are listed. */
export const describeRules = (): readonly RuleReference[] => RULE_LIST;

function describe(operation: Operation<SessionState>): OperationReference {
  const { name, summary, access, phases = [], inputSchema, output, errors } = operation;
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
    input: inputSchema,
    output: outputSchema(output),
    errors,
  };
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

/** What createSession takes. */
export const describeNewSession = (): JsonSchema => publishedSchema(CreateSessionInput);

function routeText({ rest }: Operation<SessionState>): string | null {
  if (rest === undefined || typeof rest === 'string') return rest ?? null;
  return `${rest.builder} (moderator: ${rest.moderator})`;
}
