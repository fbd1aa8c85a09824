import { z } from 'zod';
import { type JsonSchema, outlineSchema, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { isBuilder, otherBuilder } from '../../kernel/roles.ts';
import { RevisionRef, viewRevisionRef } from '../blockers/revision-status.ts';
import { CONTRACT_JSON_SCHEMA } from '../document/contract-schema.ts';
import { AgentRole, NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { TurnInput } from '../turns/schemas.ts';
import { SECRET_POLICIES } from './events.ts';
import { HOW_TO_BUILD, HOW_TO_MODERATE } from './how-to.ts';
import { AgentView, RequirementView } from './schemas.ts';
import { viewAgent, viewAgents } from './views.ts';

const TURN_FORMAT = publishedSchema(TurnInput);
/**
 * The names and types of the members of a contract. `read_task` shows all members to a builder, and only the top-level
 * members to the moderator.
 */
const CONTRACT_SHAPE = {
  ...outlineSchema(CONTRACT_JSON_SCHEMA),
  description: 'Members and types only; get_contract_schema adds limits, descriptions, rules and an example.',
};
const CONTRACT_OUTLINE = { type: 'object', properties: topMembers(CONTRACT_SHAPE.properties ?? {}) };

export const readTask = defineOperation({
  name: 'read_task',
  summary: 'Read the task, your role and how to work. Start here.',
  rest: 'GET task',
  access: { builder: 'read_task', moderator: true },
  input: NoInput,
  output: z.strictObject({
    session_id: z.string(),
    title: z.string(),
    objective: z.string(),
    guardrails: z.array(z.string()),
    requirements: z.array(RequirementView),
    your_role: AgentRole,
    your_repository: z.string().nullable(),
    other_agent: AgentView.nullable(),
    agents: z.array(AgentView).optional().describe('Both builders. Only the moderator gets this member.'),
    round_limit: z.int(),
    fixture_version: z
      .string()
      .describe(
        'A label for the test data that both sides use. The contract and the reports must repeat it exactly; there is no file to load.',
      ),
    environment: z.string().optional().describe('Where you verify; absent if the owner named no place.'),
    secret_policy: z.enum(SECRET_POLICIES),
    contract: RevisionRef.nullable(),
    turn_format: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of post_turn; for builders.'),
    contract_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the contract, without limits.'),
    how_to: z.array(z.string()),
  }),
  errors: [],

  reply(state, _input, { caller: { role } }) {
    const { sessionId, profile } = state;
    const isOfBuilder = isBuilder(role);
    return {
      session_id: sessionId,
      title: profile.title,
      objective: profile.objective,
      guardrails: profile.guardrails,
      requirements: profile.requirements,
      your_role: isOfBuilder ? role : ('moderator' as const),
      your_repository: isOfBuilder ? profile.agents[role].repository : null,
      other_agent: isOfBuilder ? viewAgent(profile, otherBuilder(role)) : null,
      ...(isOfBuilder ? {} : { agents: viewAgents(profile) }),
      round_limit: profile.round_limit,
      fixture_version: profile.fixture_version,
      ...(profile.environment === undefined ? {} : { environment: profile.environment }),
      secret_policy: profile.secret_policy,
      contract: viewRevisionRef(state),
      ...(isOfBuilder ? { turn_format: { ...TURN_FORMAT } } : {}),
      contract_schema: isOfBuilder ? CONTRACT_SHAPE : CONTRACT_OUTLINE,
      how_to: [...(isOfBuilder ? HOW_TO_BUILD : HOW_TO_MODERATE)],
    };
  },
});

function topMembers(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type ? { type } : {}]));
}
