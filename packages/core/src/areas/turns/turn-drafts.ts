import type { Caller, DecideEnv } from '../../kernel/operation/operation.ts';
import type { SessionDraft } from '../catalog.ts';
import { type ProposalPlace, recordProposal } from '../decisions/rules.ts';
import type { Decisions } from '../decisions/state.ts';
import { wasReadBy } from '../decisions/was-read.ts';
import { interventionTo, owesAcknowledgement } from '../interventions/rules.ts';
import { addressed, askedData } from '../questions/asking.ts';
import type { SessionState } from '../state.ts';
import { roundOf, speakerOf } from './rules.ts';
import type { Turn } from './schemas.ts';
import { answersIn } from './turn-answers.ts';

/**
 * Every member of a turn except `request_id`. `turnDrafts` lists the members by name, because copying them with a rest
 * pattern would take as long as the rest of `decide`.
 */
type Stored = Readonly<Record<Exclude<keyof Turn, 'request_id'>, unknown>> & Readonly<Record<string, unknown>>;

/**
 * All events of a turn, in this order: the turn itself, with the ids that it creates; then its questions, answers,
 * decisions and acknowledgements.
 */
export function turnDrafts(state: SessionState, turn: Turn, { role }: Caller, env: DecideEnv): SessionDraft[] {
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
  const { summary, verified_facts, concerns, next_step, interfaces } = turn;
  const { dependencies, safety_conditions, disagreements, acknowledged_directives, converged } = turn;
  const turn_index = state.turns.count;
  const isLast = turn_index + 1 >= 2 * state.profile.round_limit;
  const data = {
    turn_index,
    round: roundOf(state, turn_index),
    next_agent: isLast ? null : speakerOf(state, turn_index + 1),
    summary,
    answers: answered.said,
    verified_facts,
    proposed_decisions: turn.proposed_decisions && proposals.map(({ stored }) => stored),
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
    ...answered.drafts,
    ...proposals.flatMap(({ drafts }) => drafts),
    ...acknowledgementDrafts(state, turn, role),
  ];
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
