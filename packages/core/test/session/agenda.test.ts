import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_CONTRACT } from '../contract/sample-contract.ts';
import { proposed, turnPosted } from '../past.ts';
import { decided, play, submit } from '../story.ts';

const STORE = { topic: 'store', question: 'Where does a reservation live?' };
const RETRIES = { topic: 'Retries', question: 'Who repeats, and how often?' };
// biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
const words = { title: 'T', given: 'G', when: 'W', then: 'T', requirements: ['R1'] };
const RESERVE = { id: 'test-reserve', ...words, executor: 'agent_b' as const };
const OUTAGE = { id: 'test-outage', ...words, evidence_policy: { min_items: 2, correlated: true } };

const agenda = { topics: [STORE, RETRIES], scenarios: [RESERVE, OUTAGE] };
const session = { agenda };
const revised = play(decided, [submit('')], { session });

const read = (name: 'read_task' | 'read_session_state', by: 'agent_a' | 'agent_b' | 'moderator', past = none) =>
  given(past, { session }).when(name, {}, by).reply();
const none: readonly PastEvent[] = [];

describe('an agenda', () => {
  test('adds its two rules to those that get_contract_schema explains', () => {
    const explained = (facts = {}) =>
      given([], facts)
        .when('get_contract_schema', {}, 'agent_a')
        .reply()
        .rules.filter((rule) => rule.startsWith('AGENDA'));
    expect(explained()).toEqual([]);
    expect(explained({ session })).toEqual([
      'AGENDA_TOPIC_OPEN (warning): A decision of the contract must settle each topic of the agenda.',
      'AGENDA_SCENARIO_OPEN (warning): A test must have the id of each scenario of the agenda.',
    ]);
  });

  test.each(['agent_a', 'agent_b', 'moderator'] as const)('is shown to %s by read_task, and what it is', (by) => {
    expect(read('read_task', by)).toMatchObject({
      agenda,
      how_to: expect.arrayContaining([expect.stringMatching(/^The agenda is what the owner wants decided and tested/)]),
    });
    const without = given().when('read_task', {}, by).reply();
    expect('agenda' in without).toBe(false);
    expect(without.how_to.join()).not.toContain('agenda');
  });

  test('is named by the instruction to the first turn of each builder', () => {
    const named = 'The agenda of read_task names topics to decide.';
    expect(read('read_session_state', 'agent_a')).toMatchObject({
      instruction: { tool: 'post_turn', text: expect.stringContaining(named) },
    });
    const past = [turnPosted('agent_a', 0), turnPosted('agent_b', 1)];
    expect(JSON.stringify(read('read_session_state', 'agent_b', past.slice(0, 1)))).toContain(named);
    expect(JSON.stringify(read('read_session_state', 'agent_a', past))).not.toContain('agenda');
    expect(JSON.stringify(given().when('read_session_state', {}, 'agent_a').reply())).not.toContain('agenda');
  });

  test('that a contract leaves open is a warning to its author, and blocks nothing', () => {
    const plan = given(revised, { session }).when('get_final_plan', {}, 'agent_a').reply();
    expect(plan.validation_errors).toEqual([]);
    expect(plan.validation_warnings).toMatchObject([
      { code: 'AGENDA_SCENARIO_OPEN', pointer: '/tests' },
      {
        code: 'AGENDA_TOPIC_OPEN',
        pointer: '/decisions',
        message: 'No decision of the contract settles the topic "Retries" of the agenda.',
      },
    ]);
    const { blockers } = given(revised, { session }).when('list_blockers', {}, 'agent_a').reply();
    expect(JSON.stringify(blockers)).not.toContain('AGENDA');
  });

  test('has no open topic beside a decision on it that the contract names too early', () => {
    const past = [...decided, proposed('agent_b', 'd_2', { topic: 'Retries' })];
    const contract = { ...SAMPLE_CONTRACT, decisions: ['d_1', 'd_2'] };
    const codesOf = (input: Record<string, unknown>) => {
      const draft = given(past, { session }).when('validate_contract_draft', { contract: input }, 'agent_a').reply();
      return [...draft.errors, ...draft.warnings].map(({ code }) => code);
    };
    expect(codesOf(contract)).toEqual(['DECISION_NOT_RESOLVED', 'AGENDA_SCENARIO_OPEN']);
    expect(codesOf(SAMPLE_CONTRACT)).toEqual(['AGENDA_SCENARIO_OPEN', 'AGENDA_TOPIC_OPEN']);
  });

  test('is shown to the owner with what of it is settled, and the brief of the approval names what is open', () => {
    const view = given(revised, { session }).when('view', {}, 'owner').reply();
    const open = { topics: ['Retries'], scenarios: ['test-outage'] };
    expect(view).toMatchObject({ agenda, agenda_open: open });
    const briefed = (stage: 'approval' | 'build', facts = {}) =>
      given(revised, facts).when('brief', { stage }, 'owner').reply();
    expect(briefed('approval', { session }).agenda_open).toEqual(open);
    const settled = { agenda: { topics: [STORE], scenarios: [RESERVE] } };
    for (const brief of [briefed('approval'), briefed('approval', { session: settled }), briefed('build', { session })])
      expect('agenda_open' in brief).toBe(false);
  });
});
