import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { BUILDERS, otherBuilder } from '../../kernel/roles.ts';
import { acceptancesDue } from '../decisions/rules.ts';
import { followerInSplit } from '../election/rules.ts';
import { debtsOf } from '../interventions/rules.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';

export function* planningBlockers(state: SessionState): Generator<Blocker> {
  yield* electionBlockers(state);
  yield* decisionBlockers(state);
  yield* questionBlockers(state);
  yield* interventionBlockers(state);
}

function* electionBlockers({ election, profile }: SessionState): Generator<Blocker> {
  if (profile.status === 'DRAFT') {
    yield {
      code: 'NOT_STARTED',
      record: { type: 'session', id: 'start' },
      responsible: 'owner',
      message: 'The session has not been started yet.',
      resolution: { text: 'Invite both agents, then start the session.', tool: 'start', payload: {} },
    };
    return;
  }
  if (election.contract_author !== null) return;
  const split = followerInSplit(election);
  const nominated = BUILDERS.find((builder) => election.nominations[builder]);
  const follower = split?.follower ?? (nominated ? otherBuilder(nominated) : profile.first_turn);
  const candidate = split?.candidate ?? (nominated && election.nominations[nominated]?.candidate);
  yield {
    code: 'NO_CONTRACT_AUTHOR',
    record: { type: 'session', id: 'contract_author' },
    responsible: follower,
    message: split ? 'The two nominations name different builders.' : 'No Contract Author is elected yet.',
    resolution: {
      text: candidate
        ? `Nominate ${candidate} too with elect_contract_author, and give your reason.`
        : 'Nominate a Contract Author with elect_contract_author, and give your reason.',
      tool: 'elect_contract_author',
      payload: { candidate: candidate ?? '<agent_a or agent_b>', reason: '<your reason>' },
    },
  };
}

function* decisionBlockers({ decisions }: SessionState): Generator<Blocker> {
  for (const builder of BUILDERS) {
    for (const { decision_id: id } of acceptancesDue(decisions, builder)) {
      yield {
        code: 'DECISION_OPEN',
        record: { type: 'decision', id },
        responsible: builder,
        message: `Decision ${id} is proposed, and ${builder} has not accepted it yet.`,
        resolution: {
          text: `Accept decision ${id} with accept_decision, reject it with reject_decision, or withdraw it if you proposed it.`,
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
    if (!question?.blocking) continue;
    const answer =
      question.to === 'owner'
        ? { tool: 'answerQuestion', payload: { question_id: id, text: '<your answer>' } }
        : { tool: 'answer_question', payload: { question_id: id, answer: '<your answer>' } };
    yield {
      code: 'QUESTION_UNANSWERED',
      record: { type: 'question', id },
      responsible: question.to,
      message: `The blocking question ${id} is not answered yet.`,
      resolution: { text: `Answer question ${id}.`, ...answer },
    };
  }
}

function* interventionBlockers({ interventions }: SessionState): Generator<Blocker> {
  for (const { intervention, target } of debtsOf(interventions)) {
    const { intervention_id: id, type } = intervention;
    const isDirective = type === 'DIRECTIVE';
    const payload = { intervention_id: id, ...(isDirective ? {} : { text: '<your answer>' }) };
    yield {
      code: isDirective ? 'DIRECTIVE_UNACKNOWLEDGED' : 'INTERVENTION_UNANSWERED',
      record: { type: 'intervention', id },
      responsible: target,
      message: isDirective
        ? `Directive ${id} is not acknowledged by ${target} yet.`
        : `Question ${id} is not answered by ${target} yet.`,
      resolution: {
        text: isDirective
          ? `Acknowledge directive ${id} with ack_intervention.`
          : `Answer question ${id} with answer_intervention.`,
        tool: isDirective ? 'ack_intervention' : 'answer_intervention',
        payload,
      },
    };
  }
}
