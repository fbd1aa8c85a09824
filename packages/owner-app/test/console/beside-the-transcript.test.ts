import { describe, expect, test } from 'vitest';
import {
  callFor,
  chainsOf,
  type Decision,
  dueActions,
  EMPTY_DRAFT,
  type Intervention,
  isOutOfRounds,
  type Question,
  sortInterventions,
  sortQuestions,
} from '../../console/src/session/records.ts';

const AT = '2026-11-21T10:00:00Z';

const decision = (id: string, status: Decision['status'], supersedes: string | null = null): Decision => ({
  decision_id: id,
  topic: 'Retention',
  position: `position of ${id}`,
  evidence: [],
  status,
  active: status === 'PROPOSED' || status === 'RESOLVED',
  proposed_by: 'agent_a',
  accepted_by: [],
  revision: 1,
  supersedes,
  reason: null,
  proposed_at: AT,
});

describe('decisions', () => {
  test('are grouped by topic with the decisions that they superseded, open and latest decisions first', () => {
    const chains = chainsOf([
      decision('d_1', 'SUPERSEDED'),
      decision('d_2', 'RESOLVED'),
      decision('d_3', 'SUPERSEDED', 'd_1'),
      decision('d_4', 'REJECTED'),
      decision('d_5', 'PROPOSED', 'd_3'),
      decision('d_6', 'RESOLVED'),
    ]);
    const ids = chains.map((chain) => [chain.decision.decision_id, chain.earlier.map((old) => old.decision_id)]);
    expect(ids).toEqual([
      ['d_5', ['d_3', 'd_1']],
      ['d_6', []],
      ['d_2', []],
      ['d_4', []],
    ]);
  });
});

const question = (id: string, to: Question['to'], part: Partial<Question> = {}): Question => ({
  question_id: id,
  from: 'agent_a',
  to,
  text: 'Why?',
  blocking: false,
  status: 'OPEN',
  asked_at: AT,
  answer: null,
  answered_at: null,
  ...part,
});

describe('questions', () => {
  test('are divided into questions to the owner, questions between agents and answered questions', () => {
    const { forOwner, betweenAgents, answered } = sortQuestions([
      question('q_1', 'owner'),
      question('q_2', 'agent_b'),
      question('q_3', 'owner', { blocking: true }),
      question('q_4', 'owner', { status: 'ANSWERED', answer: 'So.' }),
      question('q_5', 'agent_b', { status: 'ANSWERED', answer: 'So.' }),
    ]);
    const idsOf = (list: readonly Question[]) => list.map(({ question_id }) => question_id);
    expect(idsOf(forOwner)).toEqual(['q_3', 'q_1']);
    expect(idsOf(betweenAgents)).toEqual(['q_2']);
    expect(idsOf(answered)).toEqual(['q_5', 'q_4']);
  });
});

const intervention = (id: string, part: Partial<Intervention>): Intervention => ({
  intervention_id: id,
  from: 'owner',
  type: 'QUESTION',
  text: 'Which?',
  priority: 'NORMAL',
  blocking: false,
  targets: ['agent_a', 'agent_b'],
  status: 'OPEN',
  responses: [],
  evidence: [],
  related_decision_id: null,
  related_revision_id: null,
  opened_at: AT,
  ...part,
});

describe('interventions', () => {
  test('are open until all targets have answered a question, or a directive is withdrawn', () => {
    const { open, past } = sortInterventions([
      intervention('i_1', { status: 'ACKNOWLEDGED' }),
      intervention('i_2', { status: 'ANSWERED' }),
      intervention('i_3', { type: 'DIRECTIVE', status: 'ANSWERED' }),
      intervention('i_4', { type: 'DIRECTIVE', status: 'ANSWERED', text: null }),
      intervention('i_5', { status: 'WITHDRAWN' }),
    ]);
    expect(open.map(({ intervention_id }) => intervention_id)).toEqual(['i_3', 'i_1']);
    expect(past.map(({ intervention_id }) => intervention_id)).toEqual(['i_5', 'i_4', 'i_2']);
  });

  test('are sent with the input of their operation: only a question has the member blocking', () => {
    expect(callFor({ ...EMPTY_DRAFT, text: 'Which?', blocking: true, priority: 'HIGH' })).toEqual({
      operation: 'ask',
      input: { targets: ['agent_a', 'agent_b'], text: 'Which?', blocking: true, priority: 'HIGH' },
    });
    expect(callFor({ ...EMPTY_DRAFT, type: 'DIRECTIVE', targets: ['agent_b'], text: 'Stop.', blocking: true })).toEqual(
      {
        operation: 'direct',
        input: { targets: ['agent_b'], text: 'Stop.', priority: 'NORMAL' },
      },
    );
  });
});

test('actions are due until they are completed', () => {
  const action = { type: 'OWNER_TASK', text: 'Look.', due_to: 'agent_a', from: 'owner', opened_at: AT } as const;
  const due = dueActions([
    { ...action, action_id: 'act_1', status: 'COMPLETED' },
    { ...action, action_id: 'act_2', status: 'ACKNOWLEDGED' },
    { ...action, action_id: 'act_3', status: 'PENDING' },
  ]);
  expect(due.map(({ action_id }) => action_id)).toEqual(['act_2', 'act_3']);
});

test('rounds are used up if a builder would have to take a turn and none is left', () => {
  const state = { phase: 'CONTRACT', next_agent: null, turn_index: 12, round_limit: 6 } as const;
  expect(isOutOfRounds(state)).toBe(true);
  expect(isOutOfRounds({ ...state, turn_index: 11 })).toBe(false);
  expect(isOutOfRounds({ ...state, phase: 'VERIFY' })).toBe(false);
});
