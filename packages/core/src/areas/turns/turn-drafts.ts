import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Caller, DecideEnv } from '../../kernel/operation/operation.ts';
import { type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { type ProposalPlace, type Recorded, recordProposal } from '../decisions/rules.ts';
import { interventionTo, owesAcknowledgement } from '../interventions/rules.ts';
import { isNewAnswer, questionTo } from '../questions/rules.ts';
import type { SessionState } from '../state.ts';
import { roundOf, speakerOf } from './rules.ts';
import { type Addressed, readQuestion, type Turn } from './schemas.ts';

/**
 * Every member of a turn except its key. Listed by name: copying with a rest pattern takes as long as all other work of
 * the decision.
 */
type Stored = Readonly<Record<Exclude<keyof Turn, 'request_id'>, unknown>> & Readonly<Record<string, unknown>>;

/**
 * All events of a turn: the turn with the ids it creates, then its questions, answers, decisions and acknowledgements.
 */
export function turnDrafts(state: SessionState, turn: Turn, { role }: Caller, env: DecideEnv): SessionDraft[] {
  const questions = askedIn(state, turn, role, env);
  const proposals = proposedIn(state, turn, { by: role, limits: env.limits });
  const { summary, answers, verified_facts, proposed_decisions, concerns, next_step, interfaces } = turn;
  const { dependencies, safety_conditions, disagreements, acknowledged_directives, converged } = turn;
  const turn_index = state.turns.count;
  const isLast = turn_index + 1 >= 2 * state.profile.roundLimit;
  const data = {
    turn_index,
    round: roundOf(state, turn_index),
    next_agent: isLast ? null : speakerOf(state, turn_index + 1),
    summary,
    answers,
    verified_facts,
    proposed_decisions: proposed_decisions?.map((proposal, index) => ({
      decision_id: proposals[index]?.decisionId,
      ...proposal,
    })),
    concerns,
    questions: turn.questions && questions,
    next_step,
    interfaces,
    dependencies,
    safety_conditions,
    disagreements,
    acknowledged_directives,
    converged,
    idempotency: env.idempotency,
    warnings: env.warnings.length > 0 ? [...env.warnings] : undefined,
  } satisfies Stored;
  return [
    { kind: 'turn.posted', data },
    ...questions.map((question) => ({ kind: 'question.asked' as const, data: { ...question, in_turn: true } })),
    ...answerDrafts(state, turn, role),
    ...proposals.flatMap(({ drafts }) => drafts),
    ...acknowledgementDrafts(state, turn, role),
  ];
}

function askedIn({ questions: { all, open } }: SessionState, turn: Turn, role: Caller['role'], { limits }: DecideEnv) {
  const asked = (turn.questions ?? []).map(readQuestion);
  const own = open.filter((id) => lookUp(all, id)?.from === role);
  if (own.length + asked.length > limits.openQuestions) {
    fail('LIMIT_EXCEEDED', `You already have ${limits.openQuestions} open questions; that is the limit.`, {
      limit: limits.openQuestions,
    });
  }
  return asked.map(({ text, to, blocking }, index) => ({
    question_id: `q_${all.size + index + 1}`,
    to: addresseeOf(to, role, index),
    text,
    blocking,
  }));
}

function addresseeOf(to: Addressed, role: Caller['role'], index: number): Builder | 'owner' {
  if (to === 'owner' || !isBuilder(role)) return 'owner';
  const other = otherBuilder(role);
  if (to === 'agent' || to === other) return other;
  const message = `You are ${role}: address the question to ${other}, or to the owner.`;
  return fail('INVALID_INPUT', message, { issues: [{ path: `questions[${index}].to`, message }] });
}

function proposedIn(
  { decisions }: SessionState,
  turn: Turn,
  { by, limits }: Pick<ProposalPlace, 'by' | 'limits'>,
): Recorded[] {
  let pending = 0;
  return (turn.proposed_decisions ?? []).map((proposal) => {
    const recorded = recordProposal(decisions, proposal, { by, inTurn: true, pending, limits });
    if (recorded.isNew) pending += 1;
    return recorded;
  });
}

function answerDrafts({ questions }: SessionState, turn: Turn, role: Caller['role']): SessionDraft[] {
  return (turn.answers ?? []).flatMap(({ question_id, answer }) =>
    isNewAnswer(questionTo(questions, question_id, role), answer)
      ? [{ kind: 'question.answered' as const, data: { question_id, answer, in_turn: true } }]
      : [],
  );
}

function acknowledgementDrafts({ interventions }: SessionState, turn: Turn, role: Caller['role']): SessionDraft[] {
  return (turn.acknowledged_directives ?? []).flatMap((intervention_id) =>
    owesAcknowledgement(interventionTo(interventions, intervention_id, role))
      ? [{ kind: 'intervention.acknowledged' as const, data: { intervention_id } }]
      : [],
  );
}
