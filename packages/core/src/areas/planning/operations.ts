import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { forMember } from '../../kernel/operation/input.ts';
import type { Caller, DecideEnv } from '../../kernel/operation/operation.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { requireScope } from '../access/rules.ts';
import { type EventOf, type SessionDraft, storedEvent } from '../catalog.ts';
import {
  At,
  BuilderRole,
  DecisionId,
  EvidenceItem,
  LONG_TEXT_MAX_CHARS,
  MessageCursor,
  QuestionId,
  Reason,
  Warnings,
} from '../fields.ts';
import { followupDrafts } from '../findings/rules.ts';
import { interventionTo, owesAcknowledgement } from '../interventions/rules.ts';
import { pickOf } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { requireActive } from '../session/rules.ts';
import type { SessionState } from '../state.ts';
import {
  acceptanceDrafts,
  activeDecision,
  type ProposalPlace,
  recordProposal,
  rejectionDraft,
  wasReadBy,
} from './decisions.ts';
import { NewQuestion, TurnFields } from './fields.ts';
import {
  addressed,
  askedData,
  hasTurnsLeft,
  isNewAnswer,
  nominationDrafts,
  openByKey,
  questionKey,
  questionTo,
  roundOf,
  speakerOf,
  type Turn,
  TurnInput,
  viewElection,
} from './rules.ts';
import {
  accepted,
  closed,
  type Decisions,
  ElectionResult,
  QuestionChange,
  recordKey,
  viewQuestionChange,
} from './state.ts';

/** Spec 4.2. Adds evidence to the caller's latest turn, even while the other builder has the turn. */
export const postEvidence = defineOperation({
  name: 'post_evidence',
  summary: 'Append evidence to your latest turn.',
  rest: 'POST evidence',
  access: { builder: 'post_evidence' },
  phases: ['PLANNING', 'CONTRACT'],
  input: z.strictObject({ evidence: z.array(EvidenceItem).min(1).max(50) }),
  output: z.strictObject({ message_id: MessageCursor, turn_index: z.int(), count: z.int() }),
  errors: ['NO_TURN_YET'],

  decide(state, { evidence }, { role }) {
    return [{ kind: 'evidence.posted', data: { turn_index: lastTurnOf(state, role), evidence } }];
  },

  reply: (state, { evidence }, { caller, events }) => ({
    message_id: events[0]?.seq ?? 0,
    turn_index: lastTurnOf(state, caller.role),
    count: evidence.length,
  }),
});

function lastTurnOf({ turns }: SessionState, role: Role): number {
  const last = isBuilder(role) ? turns.lastOf[role] : undefined;
  return last
    ? last.turn_index
    : fail('NO_TURN_YET', 'You have not posted a turn yet, so there is no turn to which the evidence could be added.');
}

type Said = NonNullable<Extract<SessionDraft, { kind: 'turn.posted' }>['data']['answers']>[number];

interface Answered {
  /** The answers as the turn stores them. */
  readonly said: Said[] | undefined;
  readonly drafts: readonly SessionDraft[];
  /** The state of the decisions after these answers, but before the proposals of the same turn. */
  readonly decisions: Decisions;
}

interface Step {
  readonly said: Said;
  readonly drafts: readonly SessionDraft[];
  readonly decisions: Decisions;
}

/**
 * Processes the answers of a turn in their order.
 * @throws ParleyError for the first answer that is refused; the error names its position in the turn
 */
function answersIn(state: SessionState, { answers }: Turn, role: Role): Answered {
  let { decisions } = state;
  const steps = answers?.map((answer, index) => {
    const step = answerStep({ ...state, decisions }, answer, { role, path: `answers[${index}]` });
    decisions = step.decisions;
    return step;
  });
  return { said: steps?.map(({ said }) => said), drafts: steps?.flatMap(({ drafts }) => drafts) ?? [], decisions };
}

type Answer = NonNullable<Turn['answers']>[number];

interface AnswerOrigin {
  readonly role: Role;
  readonly path: string;
}

function answerStep(state: SessionState, answer: Answer, { role, path }: AnswerOrigin): Step {
  const { question_id, answer: words, decision_id, decision } = answer;
  if (decision_id !== undefined && decision !== undefined) {
    const verdict = { decision_id, decision, reason: answer.reason };
    return forMember(`${path}.decision_id`, () => verdictStep(state.decisions, verdict, role));
  }
  if (question_id === undefined || words === undefined)
    throw new Error('An answer has neither a question_id nor a decision_id, which the schema does not allow.');
  return forMember(`${path}.question_id`, () => questionStep(state, { question_id, answer: words }, role));
}

function questionStep(
  { questions, decisions }: SessionState,
  said: { readonly question_id: string; readonly answer: string },
  role: Role,
): Step {
  const isNew = isNewAnswer(questionTo(questions, said.question_id, role), said.answer);
  return { said, drafts: isNew ? [{ kind: 'question.answered', data: { ...said, in_turn: true } }] : [], decisions };
}

function verdictStep(decisions: Decisions, said: Extract<Said, { decision_id: string }>, by: Role): Step {
  const { decision_id, decision, reason = '' } = said;
  if (decision === 'REJECT') {
    const draft = rejectionDraft(decisions, { decision_id, reason }, { by, inTurn: true });
    return { said, drafts: [draft], decisions: closed(decisions, decision_id, 'REJECTED', reason) };
  }
  const drafts = acceptanceDrafts(activeDecision(decisions, decision_id), { by, inTurn: true });
  return { said, drafts, decisions: isBuilder(by) ? accepted(decisions, decision_id, by) : decisions };
}

const pickSaid = pickOf(z.strictObject(TurnFields));

/**
 * All events of a turn, in this order: the turn itself, with the ids that it creates; then its questions, answers,
 * decisions and acknowledgements; then the nomination and the follow-ups.
 */
function turnDrafts(state: SessionState, turn: Turn, { role }: Caller, env: DecideEnv): SessionDraft[] {
  const questions = askedData(state.questions, addressed(turn.questions ?? [], role), {
    role,
    limits: env.limits,
  });
  const answered = answersIn(state, turn, role);
  const proposals = proposedIn(answered.decisions, turn, {
    by: role,
    limits: env.limits,
    wasRead: wasReadBy(state, { by: role, shownSeq: env.shownSeq, inTurn: true }),
  });
  const turn_index = state.turns.count;
  const isLast = turn_index + 1 >= 2 * state.profile.round_limit;
  const data = {
    turn_index,
    round: roundOf(state, turn_index),
    next_agent: isLast ? null : speakerOf(state, turn_index + 1),
    ...pickSaid(turn),
    answers: answered.said,
    proposed_decisions: turn.proposed_decisions && proposals.map(({ stored }) => stored),
    questions: turn.questions && questions,
    idempotency: env.idempotency,
    warnings: env.warnings.length > 0 ? [...env.warnings] : undefined,
  };
  return [
    { kind: 'turn.posted', data },
    ...questions.map((question) => ({ kind: 'question.asked' as const, data: { ...question, in_turn: true } })),
    ...answered.drafts,
    ...proposals.flatMap(({ drafts }) => drafts),
    ...acknowledgementDrafts(state, turn, role),
    ...nominationIn(state, turn, role),
    ...followupDrafts(state.followups, turn.followups, { role, origin: { type: 'turn', id: String(turn_index) } }),
  ];
}

function nominationIn(state: SessionState, { nominates: candidate }: Turn, role: Role): SessionDraft[] {
  if (!candidate || !isBuilder(role) || state.election.nominations[role]?.candidate === candidate) return [];
  return nominationDrafts(state, role, {
    candidate,
    reason: `Nominated in round ${roundOf(state, state.turns.count)}.`,
  });
}

function proposedIn(decisions: Decisions, turn: Turn, place: Pick<ProposalPlace, 'by' | 'limits' | 'wasRead'>) {
  let pending = 0;
  return (turn.proposed_decisions ?? []).map((proposal) => {
    const { decision_id, isNew, supersedes, drafts } = recordProposal(decisions, proposal, {
      ...place,
      inTurn: true,
      pending,
    });
    if (isNew) pending += 1;
    return { stored: { decision_id, ...proposal, supersedes }, drafts };
  });
}

function acknowledgementDrafts({ interventions }: SessionState, turn: Turn, role: Caller['role']): SessionDraft[] {
  return (turn.acknowledged_directives ?? []).flatMap((intervention_id) =>
    owesAcknowledgement(interventionTo(interventions, intervention_id, role))
      ? [{ kind: 'intervention.acknowledged' as const, data: { intervention_id } }]
      : [],
  );
}

/**
 * Spec 4.2. The answer is made only from the event of the turn, so that a repeated call with the same idempotency key
 * gets the same bytes.
 */
export const postTurn = defineOperation({
  name: 'post_turn',
  summary: 'Post your turn, when next_agent is you.',
  rest: 'POST turns',
  access: { builder: 'post_turn' },
  phases: ['PLANNING', 'CONTRACT'],
  input: TurnInput,
  output: z.strictObject({
    message_id: MessageCursor,
    at: At,
    turn_index: z.int(),
    round: z.int(),
    next_agent: BuilderRole.nullable(),
    question_ids: z.array(QuestionId),
    decision_ids: z.array(DecisionId),
    warnings: Warnings.optional().describe('Fields that contain what looks like a credential; see secret_policy.'),
  }),
  errors: [
    'NOT_YOUR_TURN',
    'ROUND_LIMIT_REACHED',
    'IDEMPOTENCY_CONFLICT',
    'UNKNOWN_RECORD',
    'ALREADY_ANSWERED',
    'OWN_PROPOSAL',
    'DECISION_CLOSED',
    'POSITION_CHANGED',
    'LIMIT_EXCEEDED',
  ],

  findIdempotencyRecord: ({ turns }, key, { role }) => lookUp(turns.receipts, recordKey(role, key)),

  decide(state, turn, caller, env) {
    refuseOutOfTurn(state, caller.role);
    if (turn.nominates) requireScope(state, caller, 'elect_contract_author');
    return turnDrafts(state, turn, caller, env);
  },

  reply: (_state, _input, { events }) => viewPosted(storedEvent(events, 'turn.posted')),
});

const NO_TURN_NEEDED =
  'The phase CONTRACT needs no turn: ask or tell the other agent with answer_question, which uses no turn.';

function refuseOutOfTurn(state: SessionState, role: string): void {
  const turn_index = state.turns.count;
  const { round_limit } = state.profile;
  if (!hasTurnsLeft(state))
    fail('ROUND_LIMIT_REACHED', `No turn is left: ${round_limit} of ${round_limit} rounds are used.`, {
      round_limit,
      turn_index,
    });
  const next_agent = speakerOf(state, turn_index);
  if (next_agent !== role)
    fail('NOT_YOUR_TURN', `Turn ${turn_index} belongs to ${next_agent}, not to you.`, {
      next_agent,
      turn_index,
      ...(state.profile.phase === 'CONTRACT' ? { hint: NO_TURN_NEEDED } : {}),
    });
}

function viewPosted({ seq, at, data }: EventOf<'turn.posted'>) {
  const { turn_index, round, next_agent, questions = [], proposed_decisions = [], warnings } = data;
  const question_ids = questions.map(({ question_id }) => question_id);
  const decision_ids = proposed_decisions.map(({ decision_id }) => decision_id);
  return { message_id: seq, at, turn_index, round, next_agent, question_ids, decision_ids, warnings };
}

const MAX_ASKED = 20;

const AnswerInput = z
  .strictObject({
    question_id: z.string().regex(/^(q_[1-9]\d{0,8})?$/, 'Must be a question id such as q_1, or empty to only ask.'),
    answer: z.string().max(LONG_TEXT_MAX_CHARS, `Must have at most ${LONG_TEXT_MAX_CHARS} characters.`),
    questions: z.array(NewQuestion).min(1).max(MAX_ASKED).optional(),
  })
  .superRefine(({ question_id, answer, questions }, issues) => {
    const report = (path: (string | number)[], message: string) => issues.addIssue({ code: 'custom', path, message });
    if (question_id === '' && (questions === undefined || answer !== ''))
      report(
        ['question_id'],
        'Must be a question id such as q_1. It may be empty only if answer is empty and questions is not.',
      );
    if (question_id !== '' && !/\S/.test(answer)) report(['answer'], 'Must not be empty.');
    const keys = questions?.map(questionKey) ?? [];
    for (const [index, key] of keys.entries())
      if (keys.indexOf(key) < index) report(['questions', index], 'Repeats an earlier question of this call.');
  });

/**
 * Spec 4.2. Answers a question and asks new questions without using a turn. Answers are accepted until the session
 * ends, new questions only while the session is ACTIVE. A question that the caller has asked before and that is still
 * open is not stored again.
 */
export const answerQuestion = defineOperation({
  name: 'answer_question',
  summary: 'Answer a question; to ask, set question_id and answer to "". Uses no turn.',
  rest: 'POST questions/answer',
  access: { builder: 'answer_question' },
  worksWhilePaused: true,
  input: AnswerInput,
  otherNames: { text: 'answer' },
  output: z.strictObject({
    question: QuestionChange.optional(),
    asked: z.array(QuestionId).optional(),
  }),
  errors: ['UNKNOWN_RECORD', 'ALREADY_ANSWERED', 'SESSION_NOT_ACTIVE', 'LIMIT_EXCEEDED'],

  decide(state, { question_id, answer, questions = [] }, { role }, { limits }): SessionDraft[] {
    const isNew = question_id !== '' && isNewAnswer(questionTo(state.questions, question_id, role), answer);
    if (questions.length > 0) requireActive(state);
    const open = openByKey(state.questions, role);
    const fresh = addressed(questions, role).filter((question) => !open.has(questionKey(question)));
    return [
      ...(isNew ? [{ kind: 'question.answered' as const, data: { question_id, answer, in_turn: false } }] : []),
      ...askedData(state.questions, fresh, { role, limits }).map((data) => ({
        kind: 'question.asked' as const,
        data: { ...data, in_turn: false },
      })),
    ];
  },

  reply({ questions: records }, { question_id, questions }, { caller: { role } }) {
    const open = openByKey(records, role);
    const asked = questions?.flatMap((one) => open.get(questionKey(one))?.question_id ?? []);
    return {
      ...(question_id === '' ? {} : { question: viewQuestionChange(questionTo(records, question_id, role)) }),
      ...(asked ? { asked } : {}),
    };
  },
});

/**
 * Spec 4.2. A candidate is elected when both builders have nominated it. The author changes if both later nominate the
 * other builder.
 */
export const electContractAuthor = defineOperation({
  name: 'elect_contract_author',
  summary: 'Nominate the author; both builders must agree.',
  rest: 'POST contract-election',
  access: { builder: 'elect_contract_author' },
  phases: ['PLANNING', 'CONTRACT'],
  input: z.strictObject({ candidate: BuilderRole, reason: Reason }),
  output: ElectionResult,

  decide: (state, nomination, { role }) => (isBuilder(role) ? nominationDrafts(state, role, nomination) : []),

  reply: ({ election, profile }) => ({ ...viewElection(election), phase: profile.phase }),
});
