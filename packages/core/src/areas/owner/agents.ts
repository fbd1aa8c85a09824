import { z } from 'zod';
import { isoTime } from '../../kernel/clock.ts';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { AGENTS, type Agent, BUILDERS, PERMISSIONS, SCOPES } from '../../kernel/roles.ts';
import { listed } from '../../kernel/text/readable.ts';
import { CancelledInvitation } from '../access/events.ts';
import { accessGivenBy } from '../access/rules.ts';
import { currentTokenOf } from '../access/state.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionView, viewAction } from '../actions/state.ts';
import type { EventOf, SessionEvent } from '../catalog.ts';
import { AgentRole, At, BuilderRole, LongText, QuestionId } from '../fields.ts';
import { electionGrounds, SEEN } from '../grounds/rules.ts';
import {
  InterventionIdInput,
  InterventionResult,
  InterventionText,
  lastIntervention,
  openedDraft,
  ownIntervention,
  refuseClosed,
  Targets,
  viewIntervention,
} from '../interventions/rules.ts';
import { Priority } from '../interventions/state.ts';
import { defineDecision, defineOperation } from '../operation.ts';
import { electionDrafts, isNewAnswer, questionTo, viewElection } from '../planning/rules.ts';
import { ElectionResult, QuestionResult, viewQuestion } from '../planning/state.ts';
import { absenceCauseByLog } from '../session/owner-waits/absence.ts';
import type { SessionState } from '../state.ts';
import { distinct, Permissions, requireEntitled, requireOpen } from './rules.ts';

export const answerQuestion = defineOperation({
  name: 'answerQuestion',
  summary: 'Answer a question that an agent asked you.',
  access: { owner: true },
  input: z.strictObject({ question_id: QuestionId, text: LongText }),
  output: QuestionResult,
  errors: ['UNKNOWN_RECORD', 'INVALID_TRANSITION', 'ALREADY_ANSWERED'],

  said: ({ answer: { question }, input: { text }, nameOf }) =>
    `Your answer to ${question.question_id} goes to ${nameOf(question.from)} and is final: ${text}`,

  decide(state, { question_id, text }) {
    requireOpen(state, 'answerQuestion');
    const question = questionTo(state.questions, question_id, 'owner');
    return isNewAnswer(question, text)
      ? [{ kind: 'question.answered', data: { question_id, answer: text, in_turn: false } }]
      : [];
  },

  reply: ({ questions }, { question_id }) => ({ question: viewQuestion(questionTo(questions, question_id, 'owner')) }),
});

/** Domain 2. The owner appoints the Contract Author in place of an election. */
export const appointAuthor = defineDecision({
  name: 'appointAuthor',
  summary: 'Appoint the Contract Author yourself.',
  access: { owner: true },
  input: z.strictObject({ candidate: BuilderRole, ...SEEN }),
  output: ElectionResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ input: { candidate }, nameOf }) =>
    `${nameOf(candidate)} is the Contract Author, and writes the contract next.`,

  restsOn: (state) => electionGrounds(state),

  decide(state, { candidate }) {
    requireOpen(state, 'appointAuthor');
    const { phase } = state.profile;
    if (phase !== 'PLANNING' && phase !== 'CONTRACT')
      fail('INVALID_TRANSITION', `appointAuthor works in PLANNING and CONTRACT; the session is in ${phase}.`, {
        phase,
      });
    return electionDrafts(state, candidate);
  },

  reply: ({ election, profile }) => ({ ...viewElection(election), phase: profile.phase }),
});

const AbsentTarget = namedObject('AbsentTarget', { role: z.enum(BUILDERS), cause: z.string() });

/** The member of the answer to a question, a directive or a task of the owner about those who cannot read it yet. */
const ABSENT = {
  absent: z
    .array(AbsentTarget)
    .optional()
    .describe('Targets that cannot read it yet: NOT_JOINED, or REVOKED. They read it after they have joined.'),
};

/** The answer to a question or directive of the owner. */
export const AskedResult = InterventionResult.extend(ABSENT).register(documented, { id: 'AskedResult' });

function viewAsked(state: SessionState): z.infer<typeof AskedResult> {
  const intervention = viewIntervention(lastIntervention(state.interventions), 'owner');
  return { intervention, ...viewAbsent(state, intervention.targets) };
}

/** The targets that cannot read what the owner sends. The member is left out if there are none. */
function viewAbsent(state: SessionState, targets: readonly Agent[]) {
  const absent = BUILDERS.flatMap((role) => {
    const cause = targets.includes(role) ? absenceCauseByLog(state, role) : undefined;
    return cause === undefined ? [] : [{ role, cause }];
  });
  return absent.length === 0 ? {} : { absent };
}

/**
 * What is said about the targets that cannot read it yet, in sentences that begin with a space. Empty if each of them can.
 *
 * @param nameOf returns the name of a role in a sentence
 */
const absentText = (absent: z.infer<typeof ABSENT.absent> = [], nameOf: (role: string) => string): string =>
  absent
    .map(({ role, cause }) => {
      const why = cause === 'REVOKED' ? 'has no access' : 'has not joined';
      return ` ${nameOf(role)} ${why}: it reads this after it has joined.`;
    })
    .join('');

/** Domain 3. The question blocks certification only if `blocking` is true. */
export const ask = defineOperation({
  name: 'ask',
  summary: 'Ask one or both agents a question.',
  access: { owner: true },
  input: z.strictObject({
    targets: Targets,
    text: InterventionText,
    blocking: z.boolean().optional().describe('Default: false.'),
    priority: Priority.optional(),
  }),
  output: AskedResult,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said({ answer: { intervention, absent }, nameOf }) {
    const { intervention_id, blocking, targets } = intervention;
    const effect = blocking ? ' The contract cannot be certified before the question is answered.' : '';
    return `Question ${intervention_id} is asked ${listed(targets.map(nameOf))}.${effect}${absentText(absent, nameOf)}`;
  },

  decide(state, { targets, text, blocking = false, priority }) {
    requireOpen(state, 'ask');
    return [openedDraft(state.interventions, { type: 'QUESTION', targets, text, blocking, priority })];
  },

  reply: (state) => viewAsked(state),
});

type ActionOpened = Extract<SessionEvent, { kind: 'action.opened' }>;

/** Domain 3 and 5. Opens an action of the type OWNER_TASK, which only the agent can complete. */
export const assignAction = defineOperation({
  name: 'assignAction',
  summary: "Give an agent a task; the task stays among the agent's actions until the agent completes it.",
  access: { owner: true },
  input: z.strictObject({ target: AgentRole, text: LongText }),
  output: namedObject('ActionResult', { action: ActionView, ...ABSENT }),
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said: ({ answer: { action, absent }, input: { target }, nameOf }) =>
    `${action.action_id} is assigned to ${nameOf(target)}. It stays open until the agent completes it.${absentText(absent, nameOf)}`,

  decide(state, { target, text }, _caller, { limits }) {
    requireOpen(state, 'assignAction');
    const { all } = state.actions;
    const open = AGENTS.flatMap((agent) => openActionsOf(state.actions, agent));
    if (open.length >= limits.openActions)
      fail('LIMIT_EXCEEDED', `The agents already have ${limits.openActions} open actions, which is the limit.`, {
        limit: limits.openActions,
        hint: 'Wait until an agent has completed one of its actions, then assign the task again.',
      });
    return [
      { kind: 'action.opened', data: { action_id: `act_${all.size + 1}`, due_to: target, type: 'OWNER_TASK', text } },
    ];
  },

  reply(state, { target }, { events }) {
    const opened = events.find((event): event is ActionOpened => event.kind === 'action.opened');
    const action = opened && lookUp(state.actions.all, opened.data.action_id);
    return {
      action: viewAction(action ?? fail('INTERNAL', 'The action was stored, but the state does not contain it.')),
      ...viewAbsent(state, [target]),
    };
  },
});

/** Domain 3. A directive blocks certification until each target has acknowledged or answered it. */
export const direct = defineOperation({
  name: 'direct',
  summary: 'Give one or both agents a directive; the directive binds the agents until you withdraw it.',
  access: { owner: true },
  input: z.strictObject({ targets: Targets, text: InterventionText, priority: Priority.optional() }),
  output: AskedResult,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said({ answer: { intervention, absent }, nameOf }) {
    const { intervention_id, targets } = intervention;
    return `Directive ${intervention_id} is given to ${listed(targets.map(nameOf))}. The directive is binding until you withdraw it.${absentText(absent, nameOf)}`;
  },

  decide(state, { targets, text, priority }) {
    requireOpen(state, 'direct');
    return [openedDraft(state.interventions, { type: 'DIRECTIVE', targets, text, blocking: true, priority })];
  },

  reply: (state) => viewAsked(state),
});

/** Revokes the tokens and the open invitations of a session that people gave, as part of a revocation of these people. */
export const endGivenAccess = defineOperation({
  name: 'endGivenAccess',
  summary: 'Revoke the access that a person gave to agents.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ given_by: z.array(z.string()).optional() }),
  output: z.strictObject({
    still: z.array(
      z.strictObject({
        kind: z.enum(['invitation', 'token']),
        role: AgentRole,
        prefix: z.string(),
        expires_at: z.string(),
      }),
    ),
  }),

  decide(state, { given_by }, _caller, { now }) {
    const given = accessGivenBy(state, given_by, now);
    return AGENTS.flatMap((role) => {
      const kinds = given.filter((one) => one.role === role).map(({ kind }) => kind);
      const [kind] = kinds;
      if (kind === undefined) return [];
      return [{ kind: 'access.revoked', data: { role, ...(kinds.length === 1 ? { only: kind } : {}) } } as const];
    });
  },

  reply: (state, { given_by }, { now }) => ({ still: [...accessGivenBy(state, given_by, now)] }),
});

/**
 * Domain 4. Creates an invitation code for a role, and cancels the role's earlier code if it is unused. The current
 * token of the role works until somebody redeems the new code.
 */
export const invite = defineOperation({
  name: 'invite',
  summary:
    'Create a one-time invitation code for an agent; the code is shown once. To invite a moderator, you must first admit moderators.',
  access: { owner: true },
  input: z
    .strictObject({
      role: AgentRole,
      scopes: z
        .array(z.enum(SCOPES))
        .refine(distinct, 'Names a scope twice.')
        .register(documented, { uniqueItems: true })
        .optional()
        .describe('Scopes of a builder; by default all 15.'),
      permissions: Permissions.optional().describe('Permissions of the moderator; by default all.'),
    })
    .superRefine(({ role, scopes, permissions }, issues) => {
      if (role === 'moderator' && scopes)
        issues.addIssue({ code: 'custom', path: ['scopes'], message: 'A moderator has permissions, not scopes.' });
      if (role !== 'moderator' && permissions)
        issues.addIssue({ code: 'custom', path: ['permissions'], message: 'A builder has scopes, not permissions.' });
    }),
  output: z.strictObject({
    code: z.string().describe('The code, which begins with pinv_; only its hash is stored.'),
    role: AgentRole,
    expires_at: At,
    scopes: z.array(z.enum(SCOPES)).optional(),
    permissions: z.array(z.enum(PERMISSIONS)).optional(),
    base_url: z.string().optional().describe('The public address of the REST routes, to pass on with the code.'),
    mcp_url: z.string().optional().describe('The public address of the MCP server.'),
  }),
  errors: ['INVALID_TRANSITION', 'MODERATOR_NOT_ENTITLED'],

  said: ({ input: { role }, nameOf }) => `An invitation code for ${nameOf(role)} is made.`,

  decide(state, { role, scopes = [...SCOPES], permissions = [...PERMISSIONS] }, _caller, { clockMs, limits, mint }) {
    requireOpen(state, 'invite');
    if (role === 'moderator') requireEntitled(state);
    const { hash, shown } = mint('pinv_');
    const grant = role === 'moderator' ? { permissions } : { scopes };
    const expires_at = isoTime(clockMs + limits.invitationLifetimeMs);
    return [{ kind: 'invitation.created', data: { role, code_hash: hash, code_prefix: shown, expires_at, ...grant } }];
  },

  reply({ access }, { role }, { mint, now, service }) {
    const { text: code, hash } = mint('pinv_');
    const invitation = lookUp(access.invitations, hash);
    const grant =
      role === 'moderator' ? { permissions: invitation?.permissions ?? [] } : { scopes: invitation?.scopes ?? [] };
    return {
      code,
      role,
      expires_at: invitation?.expires_at ?? now,
      ...grant,
      base_url: service.baseUrl,
      mcp_url: service.mcpUrl,
    };
  },
});

type Revoked = EventOf<'access.revoked'>;

/** Spec 5.10. Revokes the token of a role at once, and cancels its open invitation. */
export const revoke = defineOperation({
  name: 'revoke',
  summary: 'Revoke the access of an agent: its token and its open invitation.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ role: AgentRole }),
  output: z.strictObject({
    role: AgentRole,
    revoked: z.literal(true),
    cancelled: CancelledInvitation.optional().describe('The invitation that this cancelled.'),
  }),

  said({ answer: { cancelled }, input: { role }, nameOf }) {
    const made = cancelled?.invited_by ? ` The person ${cancelled.invited_by} made this invitation.` : '';
    return `The token and the open invitation of ${nameOf(role)} are revoked.${made}`;
  },

  decide({ access }, { role }) {
    const token = currentTokenOf(access, role);
    const invitation = lookUp(access.invitations, access.openCode[role] ?? '');
    const hasAccess = (token && token.revoked_at === null) || invitation !== undefined;
    const cancelled = invitation && { code_prefix: invitation.code_prefix, invited_by: invitation.invited_by };
    return hasAccess ? [{ kind: 'access.revoked', data: { role, cancelled } }] : [];
  },

  reply: (_state, { role }, { events }) => ({
    role,
    revoked: true as const,
    cancelled: events.find((event): event is Revoked => event.kind === 'access.revoked')?.data.cancelled,
  }),
});

/**
 * Domain 3. Withdraws a question or directive of the owner. Only the moderator can withdraw a question of the
 * moderator.
 */
export const withdrawIntervention = defineOperation({
  name: 'withdrawIntervention',
  summary: 'Withdraw a question or directive of yours.',
  access: { owner: true },
  input: InterventionIdInput,
  output: InterventionResult,
  errors: ['UNKNOWN_RECORD', 'INVALID_TRANSITION', 'INTERVENTION_CLOSED'],

  said: ({ input: { intervention_id } }) =>
    `${intervention_id} is withdrawn. No agent has to answer it or follow it any more.`,

  decide(state, { intervention_id }) {
    requireOpen(state, 'withdrawIntervention');
    refuseClosed(ownIntervention(state.interventions, intervention_id, 'owner'));
    return [{ kind: 'intervention.withdrawn', data: { intervention_id, outcome: 'WITHDRAWN' } }];
  },

  reply: ({ interventions }, { intervention_id }) => ({
    intervention: viewIntervention(ownIntervention(interventions, intervention_id, 'owner'), 'owner'),
  }),
});
