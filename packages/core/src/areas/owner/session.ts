import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { type Amounts, DEFAULT_LIMITS, MAX_ROUNDS, QUOTAS } from '../../kernel/limits.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { SessionDraft } from '../catalog.ts';
import { AgentRole, BuilderRole, ChosenId, NoInput, Reason, text, visibleLine } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { PROFILES, ProfileNameView } from '../profiles.ts';
import { AgentQuotaView, amountOf, QuotaName, quotaUseOf } from '../quotas/rules.ts';
import { AgendaScenario, END_REASONS, SECRET_POLICIES } from '../session/events.ts';
import { SourceView } from '../session/views.ts';
import { demandsRun } from '../validation/plan-rules.ts';
import { distinct, ReasonInput, requireOpen, requirePhase, requireStatus, Standing, viewStanding } from './rules.ts';

const Line = text(200);
const Sentence = text(2_000);

const AgentInput = namedObject('NewAgent', {
  name: Line.optional().describe('What the agent is called in the transcript.'),
  repository: Line.optional().describe('The repository in which the agent builds.'),
  service: Line.optional().describe('The service that the agent builds.'),
});

const NewScenario = namedObject('NewScenario', {
  ...AgendaScenario.shape,
  id: ChosenId.describe('The id that its test in the contract is to have.'),
  title: Line,
  given: Sentence,
  when: Sentence,
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
  then: Sentence,
  requirements: z.array(ChosenId).max(200).describe('Ids of the requirements that it tests.'),
});

/** What is to be decided and tested. Both lists may be left out. */
const NewAgenda = z
  .strictObject({
    topics: z
      .array(z.strictObject({ topic: Line, question: Sentence }))
      .max(50)
      .refine((topics) => distinct(topics.map(({ topic }) => nameKey(topic))), 'Names a topic twice.')
      .optional()
      .describe('What the agents should decide: the name of each decision, and the question that it answers.'),
    scenarios: z
      .array(NewScenario)
      .max(100)
      .refine((scenarios) => distinct(scenarios.map(({ id }) => id)), 'Names an id twice.')
      .optional()
      .describe('What the contract should test.'),
  })
  .describe('What you want decided and tested. It binds nobody: the validation warns of what a contract leaves open.');
documented.add(NewAgenda, { id: 'NewAgenda' });

/** Maximum number of sessions in a group. */
export const MAX_GROUP_SESSIONS = 10;

export const GroupName = visibleLine(200);

/** Domain 3. The mission and the settings of a new session. */
export const CreateSessionInput = z
  .strictObject({
    profile: ProfileNameView.optional().describe(
      'full, the default, or light for a small change of one to three requirements: the contract may leave sections out, the build needs no readiness reports, and one decision releases.',
    ),
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
      .refine((list) => distinct(list.map(({ requirement_id }) => requirement_id)), 'Names a requirement_id twice.')
      .describe('The mission requirements; the contract maps each of them.'),
    agenda: NewAgenda.optional(),
    round_limit: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('Maximum number of rounds of two turns each; by default 10.'),
    first_turn: BuilderRole.optional().describe('Who posts the first turn; by default agent_a.'),
    contract_author: BuilderRole.optional().describe(
      'Who writes the contract; when left out, the agents elect the Contract Author.',
    ),
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
    group: GroupName.optional().describe(
      `A name that at most ${MAX_GROUP_SESSIONS} sessions of yours can share, such as that of a feature over several repositories. Agents cannot read it.`,
    ),
    source: SourceView.optional().describe('The specification of which you made the session; agents see it.'),
  })
  .superRefine(({ profile = 'full', requirements: { length } }, issues) => {
    const { maxRequirements } = PROFILES[profile];
    if (length > maxRequirements)
      issues.addIssue({
        code: 'custom',
        path: ['requirements'],
        message: `The profile ${profile} takes at most ${maxRequirements} requirements, and there are ${length}: use the profile full.`,
      });
  })
  .superRefine(refuseImpossibleScenarios);
documented.add(CreateSessionInput, { id: 'NewSession' });

/** Refuses a scenario that no contract could take over: of an unknown requirement, or with evidence that the rules refuse. */
function refuseImpossibleScenarios({ requirements, agenda }: MissionParts, { addIssue }: z.RefinementCtx): void {
  const known = new Set(requirements.map(({ requirement_id }) => requirement_id));
  for (const [at, { requirements: ids, evidence_policy: policy }] of (agenda?.scenarios ?? []).entries()) {
    const place = ['agenda', 'scenarios', at];
    for (const [index, id] of ids.entries())
      if (!known.has(id))
        addIssue({
          code: 'custom',
          path: [...place, 'requirements', index],
          message: 'Must be the requirement_id of a requirement of this session.',
        });
    if (policy?.carry && demandsRun(policy))
      addIssue({
        code: 'custom',
        path: [...place, 'evidence_policy', 'carry'],
        message: 'Must be left out if the test demands a run: level or per_agent_tests.',
      });
  }
}

interface MissionParts {
  readonly requirements: readonly { readonly requirement_id: string }[];
  readonly agenda?: z.output<typeof NewAgenda> | undefined;
}

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
  const { agents = {}, agenda: { topics = [], scenarios = [] } = {} } = input;
  const data = {
    owner_id: ownerId,
    profile: input.profile,
    title: input.title,
    objective: input.objective,
    guardrails: input.guardrails ?? [],
    requirements: input.requirements,
    agenda: topics.length + scenarios.length > 0 ? { topics, scenarios } : undefined,
    round_limit: input.round_limit ?? DEFAULT_ROUNDS,
    first_turn: input.first_turn ?? 'agent_a',
    fixture_version: input.fixture_version ?? '1',
    environment: input.environment,
    contract_author: input.contract_author,
    agents: { agent_a: namedAgent(agents.agent_a, 'a'), agent_b: namedAgent(agents.agent_b, 'b') },
    secret_policy: input.secret_policy ?? 'refuse',
    moderator_entitled: isModeratorEntitled,
    required_approvals: input.required_approvals === 2 ? 2 : undefined,
    group: input.group,
    source: input.source,
    quotas: QUOTAS.some((quota) => quotas[quota] !== DEFAULT_LIMITS.quotas[quota]) ? { ...quotas } : undefined,
  };
  return { kind: 'session.created', data, actor: 'owner' };
}

const namedAgent = (given: z.output<typeof AgentInput> = {}, letter: 'a' | 'b') => ({
  name: given.name ?? `Agent ${letter.toUpperCase()}`,
  repository: given.repository ?? `repository-${letter}`,
  service: given.service ?? `service-${letter}`,
});

/** Domain 2. An ended session cannot be started again. Agents can read it until their tokens expire. */
export const end = defineOperation({
  name: 'end',
  summary: 'End a session for good. An ended session can still be read.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ end_reason: z.enum(END_REASONS), note: Reason.optional() }),
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The session is ended for good.',

  decide(state, { end_reason, note }) {
    requireOpen(state, 'end');
    return [{ kind: 'session.ended', data: { end_reason, note } }];
  },

  reply: viewStanding,
});

export const extendRounds = defineOperation({
  name: 'extendRounds',
  summary: 'Give the agents more rounds of turns.',
  access: { owner: true },
  input: z.strictObject({ rounds: z.int().min(1).max(MAX_ROUNDS).describe('How many rounds to add.') }),
  output: Standing,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said: ({ answer: { round_limit } }) => `The session has ${round_limit} rounds in all now.`,

  decide(state, { rounds }) {
    requireOpen(state, 'extendRounds');
    const round_limit = state.profile.round_limit + rounds;
    if (round_limit > MAX_ROUNDS)
      fail(
        'LIMIT_EXCEEDED',
        `A session has at most ${MAX_ROUNDS} rounds, and this call would raise the number to ${round_limit}.`,
        {
          limit: MAX_ROUNDS,
          hint: 'Add fewer rounds. If no rounds can be added, appoint the Contract Author with appointAuthor.',
        },
      );
    return [{ kind: 'rounds.extended', data: { rounds, round_limit } }];
  },

  reply: viewStanding,
});

/**
 * Domain 2. Changes the status from ACTIVE to PAUSED. During the pause, agents can still read, acknowledge and answer.
 */
export const pause = defineOperation({
  name: 'pause',
  summary: 'Pause a session; agents can still read, acknowledge and answer.',
  access: { owner: true },
  worksAtLimit: true,
  dialog: {
    button: 'Pause…',
    title: 'Pause the session',
    explanation:
      'Agents can still read, acknowledge and answer. Everything else waits until you resume. The agents can read the reason.',
    confirm: 'Pause',
    offered: ['ACTIVE'],
  },
  input: ReasonInput,
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The session is paused. Until you resume it, builders can only read, acknowledge and answer.',

  decide(state, { reason }) {
    requireStatus(state, 'pause', 'ACTIVE');
    return [{ kind: 'session.paused', data: { reason } }];
  },

  reply: viewStanding,
});

const Paused = z.strictObject({
  pause_id: z
    .string()
    .nullable()
    .describe('Id of the call of pauseAll that paused this session; null if no such call paused it.'),
});

/** Pauses a session as a part of `pauseAll`. Changes nothing if the session is not ACTIVE. */
export const pauseTogether = defineOperation({
  name: 'pauseTogether',
  summary: 'Pause one session as part of pauseAll.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ reason: Reason, pause_id: z.string() }),
  output: Paused,

  decide: ({ profile }, { reason, pause_id }) =>
    profile.status === 'ACTIVE' ? [{ kind: 'session.paused', data: { reason, pause_id } }] : [],

  reply: ({ profile }) => ({ pause_id: profile.pause_id }),
});

/** Resumes a session as a part of `resumeAll`. Changes nothing if the session was not paused with this `pause_id`. */
export const resumeTogether = defineOperation({
  name: 'resumeTogether',
  summary: 'Resume one session as part of resumeAll.',
  access: { owner: true },
  input: z.strictObject({ pause_id: z.string() }),
  output: z.strictObject({ resumed: z.boolean() }),

  decide: ({ profile }, { pause_id }) =>
    profile.pause_id === pause_id && profile.status === 'PAUSED' ? [{ kind: 'session.resumed', data: {} }] : [],

  reply: (_state, _input, { events }) => ({ resumed: events.length > 0 }),
});

/**
 * Raises the limit of a quota by its initial amount. If the agent has used more than this new limit, raises the limit
 * to the next multiple of the initial amount. The limit never exceeds four times the initial amount.
 */
export const raiseQuota = defineOperation({
  name: 'raiseQuota',
  summary: 'Raise a used-up quota of an agent by its initial amount, to at most four times that amount.',
  access: { owner: true },
  input: z.strictObject({
    role: AgentRole,
    quota: QuotaName.describe('What the quota limits: bytes of stored text, events, contract revisions, or findings.'),
  }),
  output: z.strictObject({ quota: AgentQuotaView }),
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said({ answer: { quota: raised }, nameOf }) {
    const { role, limit, quota, used } = raised;
    return `${nameOf(role)} may use ${limit} ${quota} now; ${used} are used.`;
  },

  decide(state, { role, quota }) {
    requireOpen(state, 'raiseQuota');
    const { used, limit: present, most } = quotaUseOf(state, role, quota);
    if (present >= most)
      fail(
        'LIMIT_EXCEEDED',
        `${role} already has the highest limit that raiseQuota allows: ${amountOf(quota, most)}.`,
        {
          limit: most,
          hint: 'Ask the agent to make no more writes that count for this quota, or end the session.',
        },
      );
    const given = state.quotas.given[quota];
    const above = (Math.floor(used / given) + 1) * given;
    const limit = Math.min(most, Math.max(above, present + given));
    return [{ kind: 'quota.raised', data: { role, quota, limit } }];
  },

  reply: (state, { role, quota }) => ({ quota: quotaUseOf(state, role, quota) }),
});

/** Domain 2. Changes the status from PAUSED to ACTIVE. */
export const resume = defineOperation({
  name: 'resume',
  summary: 'Resume a paused session.',
  access: { owner: true },
  input: NoInput,
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The session is active again.',

  decide(state) {
    requireStatus(state, 'resume', 'PAUSED');
    return [{ kind: 'session.resumed', data: {} }];
  },

  reply: viewStanding,
});

/**
 * Domain 2. Changes the status from DRAFT to ACTIVE. With `first_turn` it also works in an ACTIVE session, until a turn is
 * posted: it then only changes who begins.
 */
export const start = defineOperation({
  name: 'start',
  summary: 'Start a session, so that the agents can take turns.',
  access: { owner: true },
  input: z.strictObject({
    first_turn: BuilderRole.optional().describe('Who begins; can change until a turn is posted.'),
  }),
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said({ input: { first_turn }, before: { profile }, nameOf }) {
    if (first_turn === undefined) return 'The session is started.';
    const name = nameOf(first_turn);
    if (profile.status !== 'ACTIVE') return `The session is started, and ${name} begins.`;
    return profile.first_turn === first_turn
      ? `Nothing changes: the session was started before, and ${name} begins already.`
      : `${name} begins now. The session was started before.`;
  },

  decide(state, { first_turn }): SessionDraft[] {
    const { profile, turns } = state;
    const chosen: SessionDraft[] =
      first_turn === undefined || first_turn === profile.first_turn
        ? []
        : [{ kind: 'first_turn.chosen', data: { first_turn } }];
    if (first_turn === undefined || profile.status !== 'ACTIVE') {
      requireStatus(state, 'start', 'DRAFT');
      return [...chosen, { kind: 'session.started', data: {} }];
    }
    requirePhase(state, 'start with first_turn', 'PLANNING');
    if (turns.count > 0)
      fail('INVALID_TRANSITION', 'A turn was posted, so nobody can begin any more.', {
        hint: 'The builders alternate now. Ask or direct an agent instead: it answers without a turn.',
      });
    return chosen;
  },

  reply: viewStanding,
});
