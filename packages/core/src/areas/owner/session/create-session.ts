import { z } from 'zod';
import { type Amounts, DEFAULT_LIMITS, QUOTAS } from '../../../kernel/limits.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import type { SessionDraft } from '../../catalog.ts';
import { BuilderRole, ChosenId, text } from '../../fields.ts';
import { SECRET_POLICIES } from '../../session/events.ts';

const Line = text(200);

const AgentInput = z.strictObject({
  name: Line.optional().describe('What the agent is called in the transcript.'),
  repository: Line.optional().describe('The repository in which the agent builds.'),
  service: Line.optional().describe('The service that the agent builds.'),
});
documented.add(AgentInput, { id: 'NewAgent' });

/** Domain 3. The mission and the settings of a new session. */
export const CreateSessionInput = z.strictObject({
  title: Line,
  objective: text(8_000).describe('What is to be built, and why.'),
  guardrails: z.array(text(2_000)).max(100).optional().describe('What must not happen.'),
  requirements: z
    .array(
      z.strictObject({
        requirement_id: ChosenId,
        text: text(2_000),
        acceptance_criteria: z
          .array(text(2_000))
          .max(20)
          .optional()
          .describe('Conditions by which you judge whether the requirement is met; each is true or false.'),
      }),
    )
    .min(1, 'Name at least one requirement.')
    .max(200)
    .refine(
      (list) => new Set(list.map(({ requirement_id }) => requirement_id)).size === list.length,
      'Names a requirement_id twice.',
    )
    .describe('The mission requirements; the contract maps each of them.'),
  round_limit: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Maximum number of rounds of two turns each; by default 10.'),
  first_turn: BuilderRole.optional().describe('Who posts the first turn; by default agent_a.'),
  fixture_version: Line.optional().describe('Version of the test data that both sides use; by default "1".'),
  environment: Line.optional().describe('Where the agents verify, such as a staging system; never production.'),
  agents: z.strictObject({ agent_a: AgentInput.optional(), agent_b: AgentInput.optional() }).optional(),
  secret_policy: z
    .enum(SECRET_POLICIES)
    .optional()
    .describe(
      'What to do with text of agents that certainly contains a credential: refuse it (the default), or store it and warn its author.',
    ),
  required_approvals: z
    .union([z.literal(1), z.literal(2)])
    .optional()
    .describe(
      'How many people must approve the contract, the deployment and the activation; 1 when left out. 2 needs people with keys of their own.',
    ),
});
documented.add(CreateSessionInput, { id: 'NewSession' });

export type CreateSession = z.output<typeof CreateSessionInput>;

const DEFAULT_ROUNDS = 10;

interface SessionFrame {
  readonly ownerId: string;
  readonly isModeratorEntitled: boolean;
  readonly quotas: Amounts;
}

export function createdDraft(
  input: CreateSession,
  { ownerId, isModeratorEntitled, quotas }: SessionFrame,
): SessionDraft & { readonly actor: 'owner' } {
  const { agents = {} } = input;
  const data = {
    owner_id: ownerId,
    title: input.title,
    objective: input.objective,
    guardrails: input.guardrails ?? [],
    requirements: input.requirements,
    round_limit: input.round_limit ?? DEFAULT_ROUNDS,
    first_turn: input.first_turn ?? 'agent_a',
    fixture_version: input.fixture_version ?? '1',
    environment: input.environment,
    agents: { agent_a: profileOf(agents.agent_a, 'a'), agent_b: profileOf(agents.agent_b, 'b') },
    secret_policy: input.secret_policy ?? 'refuse',
    moderator_entitled: isModeratorEntitled,
    required_approvals: input.required_approvals === 2 ? 2 : undefined,
    quotas: QUOTAS.some((quota) => quotas[quota] !== DEFAULT_LIMITS.quotas[quota]) ? { ...quotas } : undefined,
  };
  return { kind: 'session.created', data, actor: 'owner' };
}

const profileOf = (given: z.output<typeof AgentInput> = {}, letter: 'a' | 'b') => ({
  name: given.name ?? `Agent ${letter.toUpperCase()}`,
  repository: given.repository ?? `repository-${letter}`,
  service: given.service ?? `service-${letter}`,
});
