import { z } from 'zod';
import { defineEvents, message, ownersOnly } from '../../kernel/log/event-catalog.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { EvidencePolicy } from '../document/contract.ts';
import { BuilderRole } from '../fields.ts';
import { PROFILE_NAMES } from '../profiles.ts';

export const PHASES = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'] as const;
export const END_REASONS = ['COMPLETED', 'CANCELLED'] as const;
export const SECRET_POLICIES = ['refuse', 'warn'] as const;
/** The kinds of specifications that `parley create --from` takes. */
export const SOURCE_KINDS = ['spec-kit', 'openspec', 'kiro', 'issue', 'markdown'] as const;

const AgentProfile = z.strictObject({ name: z.string(), repository: z.string(), service: z.string() });
const Requirement = z.strictObject({
  requirement_id: z.string(),
  text: z.string(),
  acceptance_criteria: z.array(z.string()).optional(),
});

export const AgendaTopic = namedObject('AgendaTopic', {
  topic: z.string(),
  question: z.string(),
});

/** A test that the owner wants in the contract. */
export const AgendaScenario = namedObject('AgendaScenario', {
  id: z.string(),
  title: z.string(),
  given: z.string(),
  when: z.string(),
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
  then: z.string(),
  executor: BuilderRole.optional(),
  requirements: z.array(z.string()),
  evidence_policy: EvidencePolicy.optional(),
});

export const sessionEvents = defineEvents({
  'session.created': ownersOnly({
    owner_id: z.string(),
    /** How much the session asks for. If absent, `full`. */
    profile: z.enum(PROFILE_NAMES).optional(),
    title: z.string(),
    objective: z.string(),
    guardrails: z.array(z.string()),
    requirements: z.array(Requirement),
    /** What the owner wants decided and tested. If absent, nothing is named. */
    agenda: z.strictObject({ topics: z.array(AgendaTopic), scenarios: z.array(AgendaScenario) }).optional(),
    round_limit: z.int(),
    first_turn: BuilderRole,
    fixture_version: z.string(),
    environment: z.string().optional(),
    /** The Contract Author whom the owner chose. If absent, the builders elect one. */
    contract_author: BuilderRole.optional(),
    agents: z.strictObject({ agent_a: AgentProfile, agent_b: AgentProfile }),
    secret_policy: z.enum(SECRET_POLICIES),
    moderator_entitled: z.boolean(),
    /** The number of approvers that the contract, the deployment and the activation each need. If absent, one. */
    required_approvals: z.int().optional(),
    /** The name that the session shares with other sessions of its owner. If absent, it is in no group. */
    group: z.string().optional(),
    /** The specification of which the owner made the session. If absent, none was named. */
    source: z.strictObject({ kind: z.enum(SOURCE_KINDS), location: z.string(), sha256: z.string() }).optional(),
    /** The initial quotas of each agent. If absent, the default quotas of the running release apply. */
    quotas: z.strictObject({ bytes: z.int(), events: z.int(), revisions: z.int(), findings: z.int() }).optional(),
  }),
  'first_turn.chosen': message({ first_turn: BuilderRole }),
  'session.started': message({}),
  'session.paused': message(
    {
      reason: z.string(),
      pause_id: z
        .string()
        .optional()
        .describe('Id of the call of pauseAll that paused this session; agents cannot read it.'),
    },
    { omit: ['pause_id'] },
  ),
  'session.resumed': message({}),
  'session.ended': message({ end_reason: z.enum(END_REASONS), note: z.string().optional() }),
  'rounds.extended': message({ rounds: z.int(), round_limit: z.int() }),
  'phase.changed': message({ from: z.enum(PHASES), to: z.enum(PHASES) }),
});
