import { z } from 'zod';
import { lookUp } from '../../kernel/history.ts';
import { BUILDERS, otherBuilder } from '../../kernel/roles.ts';
import { awaitingAcceptance } from '../decisions/rules.ts';
import { followerInSplit } from '../election/rules.ts';
import { debtsOf } from '../interventions/rules.ts';
import type { SessionState } from '../state.ts';

const BLOCKER_CODES = [
  'NO_CONTRACT_AUTHOR',
  'DECISION_OPEN',
  'QUESTION_UNANSWERED',
  'INTERVENTION_UNANSWERED',
  'DIRECTIVE_UNACKNOWLEDGED',
  'NO_REVISION',
] as const;

/** Something that stands between the session and a certified contract, and what removes it. */
export const BlockerView = z.strictObject({
  code: z.enum(BLOCKER_CODES),
  record: z.strictObject({ type: z.string(), id: z.string() }),
  responsible: z.enum([...BUILDERS, 'owner']),
  message: z.string(),
  resolution: z.strictObject({
    text: z.string(),
    tool: z.string().optional(),
    payload: z.record(z.string(), z.unknown()).optional(),
  }),
});

export type Blocker = z.output<typeof BlockerView>;

/** Everything that blocks certification in this state, computed from it alone. */
export function blockersOf(state: SessionState): Blocker[] {
  return [
    ...electionBlockers(state),
    ...decisionBlockers(state),
    ...questionBlockers(state),
    ...interventionBlockers(state),
    ...revisionBlockers(state),
  ];
}

function* electionBlockers({ election, profile }: SessionState): Generator<Blocker> {
  if (election.author !== null) return;
  const split = followerInSplit(election);
  const nominated = BUILDERS.find((builder) => election.nominations[builder]);
  const follower = split?.follower ?? (nominated ? otherBuilder(nominated) : profile.firstTurn);
  const candidate = split?.candidate ?? (nominated && election.nominations[nominated]?.candidate);
  yield {
    code: 'NO_CONTRACT_AUTHOR',
    record: { type: 'session', id: 'contract_author' },
    responsible: follower,
    message: split ? 'The two nominations name different builders.' : 'No Contract Author is elected yet.',
    resolution: {
      text: candidate
        ? `Nominate ${candidate} as well; put your reason in.`
        : 'Nominate a Contract Author; put your reason in.',
      tool: 'elect_contract_author',
      payload: { candidate: candidate ?? profile.firstTurn, reason: '<your reason>' },
    },
  };
}

function* decisionBlockers({ decisions }: SessionState): Generator<Blocker> {
  for (const builder of BUILDERS) {
    for (const { decisionId: id } of awaitingAcceptance(decisions, builder)) {
      yield {
        code: 'DECISION_OPEN',
        record: { type: 'decision', id },
        responsible: builder,
        message: `Decision ${id} is proposed and waits for the acceptance of ${builder}.`,
        resolution: {
          text: `Accept decision ${id}, or reject or withdraw it.`,
          tool: 'accept_decision',
          payload: { decision_id: id },
        },
      };
    }
  }
}

function* questionBlockers({ questions }: SessionState): Generator<Blocker> {
  for (const id of questions.open) {
    const question = lookUp(questions.all, id);
    if (!question?.isBlocking) continue;
    const answer = { tool: 'answer_question', payload: { question_id: id, answer: '<your answer>' } };
    yield {
      code: 'QUESTION_UNANSWERED',
      record: { type: 'question', id },
      responsible: question.to,
      message: `The blocking question ${id} waits for an answer.`,
      resolution: { text: `Answer question ${id}.`, ...(question.to === 'owner' ? {} : answer) },
    };
  }
}

function* interventionBlockers({ interventions }: SessionState): Generator<Blocker> {
  for (const { intervention, target } of debtsOf(interventions)) {
    const { interventionId: id, type } = intervention;
    const isDirective = type === 'DIRECTIVE';
    const payload = { intervention_id: id, ...(isDirective ? {} : { text: '<your answer>' }) };
    yield {
      code: isDirective ? 'DIRECTIVE_UNACKNOWLEDGED' : 'INTERVENTION_UNANSWERED',
      record: { type: 'intervention', id },
      responsible: target,
      message: isDirective
        ? `Directive ${id} waits to be acknowledged by ${target}.`
        : `Question ${id} waits for an answer of ${target}.`,
      resolution: {
        text: isDirective ? `Acknowledge directive ${id}.` : `Answer intervention ${id}.`,
        tool: isDirective ? 'ack_intervention' : 'answer_intervention',
        payload,
      },
    };
  }
}

/** No revision can exist before the contract operations do their work; the author is who must act. */
function* revisionBlockers({ election, profile }: SessionState): Generator<Blocker> {
  if (election.author === null || profile.phase === 'PLANNING') return;
  yield {
    code: 'NO_REVISION',
    record: { type: 'session', id: 'contract' },
    responsible: election.author,
    message: 'There is no contract revision yet.',
    resolution: { text: 'The Contract Author submits the first revision.' },
  };
}
