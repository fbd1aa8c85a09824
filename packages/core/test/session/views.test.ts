import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import {
  acknowledged,
  asked,
  directed,
  ended,
  intervened,
  nominated,
  paused,
  proposed,
  responded,
  taskAssigned,
  turnPosted,
} from '../past.ts';
import { decided, play } from '../story.ts';

const MEMBERS = [
  'session_id',
  'status',
  'phase',
  'round',
  'round_limit',
  'turn_index',
  'next_agent',
  'your_role',
  'your_turn',
  'nominations',
  'contract_author',
  'technical_reviewer',
  'open_questions',
  'owner_directives',
  'open_interventions',
  'pending_actions',
  'latest_revision',
  'blockers',
  'holds',
  'authorizations',
  'cursor',
  'instruction',
];

/** A session in which every role has a task. */
const busy = [
  turnPosted('agent_a', 0),
  asked('agent_a', 'q_1'),
  asked('agent_b', 'q_2'),
  asked('agent_b', 'q_3', { to: 'owner' }),
  directed('i_1'),
  acknowledged('agent_a', 'i_1'),
  intervened('i_2', { targets: ['agent_b'] }),
  taskAssigned('act_3', 'agent_a'),
  nominated('agent_a', 'agent_b'),
];

const ids = (list: readonly object[], name: string): unknown[] => list.map((item) => Reflect.get(item, name));

describe('the state view', () => {
  test.each([
    ['agent_a', ['q_1']],
    ['agent_b', ['q_2', 'q_3']],
    ['moderator', undefined],
  ] as const)('names the questions that %s asked and that nobody has answered', (role, asked) => {
    expect(given(busy).when('read_session_state', {}, role).reply().asked_questions).toEqual(asked);
  });

  test.each(['agent_a', 'agent_b', 'moderator'] as const)('has the members of the specification for %s', (role) => {
    const state = given(busy).when('read_session_state', {}, role).reply();
    const asked = role === 'moderator' ? ['due'] : ['asked_questions', 'due'];
    expect(Object.keys(state).toSorted()).toEqual([...MEMBERS, ...asked].toSorted());
  });

  test('shows the nominations to agents until there is an author, and always to the owner', () => {
    const elected = play(
      [],
      (['agent_a', 'agent_b'] as const).map((by) => [
        by,
        'elect_contract_author',
        { candidate: 'agent_b', reason: 'Knows it.' },
      ]),
    );
    expect(given(elected).when('read_session_state', {}, 'agent_a').reply()).not.toHaveProperty('nominations');
    expect(given(elected).when('view', {}, 'owner').reply().state.nominations).toHaveLength(2);
    const [one] = given(busy).when('read_session_state', {}, 'moderator').reply().nominations ?? [];
    expect(one?.candidate).toBe('agent_b');
  });

  test('has the members of the specification for the owner as well', () => {
    const { state } = given(busy).when('view', {}, 'owner').reply();
    expect(Object.keys(state).toSorted()).toEqual(MEMBERS.toSorted());
  });

  test.each([
    ['agent_a', ['q_2'], ['i_1'], [], ['act_3'], false],
    ['agent_b', ['q_1'], ['i_1'], ['i_2'], ['act_2'], true],
    ['moderator', [], [], [], [], false],
  ] as const)('shows %s its own questions, directives, interventions and actions', (role, ...own) => {
    const state = given(busy).when('read_session_state', {}, role).reply();
    expect([
      ids(state.open_questions, 'question_id'),
      ids(state.owner_directives, 'intervention_id'),
      ids(state.open_interventions ?? [], 'intervention_id'),
      ids(state.pending_actions ?? [], 'action_id'),
      state.your_turn,
    ]).toEqual(own);
    expect(state).toMatchObject({ your_role: role, next_agent: 'agent_b', turn_index: 1, round: 1 });
  });

  test('names nobody as next in CONTRACT, where a turn is possible but not needed', () => {
    const { phase, next_agent, your_turn } = given(decided).when('read_session_state', {}, 'agent_a').reply();
    expect({ phase, next_agent, your_turn }).toEqual({ phase: 'CONTRACT', next_agent: null, your_turn: false });
  });

  test('shows the owner the questions to the owner', () => {
    const { state } = given(busy).when('view', {}, 'owner').reply();
    expect(ids(state.open_questions, 'question_id')).toEqual(['q_3']);
    expect(state).toMatchObject({ your_role: 'owner', your_turn: false });
  });

  test('counts rounds up to the limit and names nobody after it', () => {
    const turns = [turnPosted('agent_a', 0), turnPosted('agent_b', 1)];
    const state = given(turns, { session: { round_limit: 1 } })
      .when('read_session_state', {}, 'agent_a')
      .reply();
    expect(state).toMatchObject({ round: 1, turn_index: 2, next_agent: null, your_turn: false });
  });

  test.each([
    ['PAUSED', [paused]],
    ['ENDED', [ended]],
  ])('names nobody as next while %s', (status, past) => {
    const state = given(past).when('read_session_state', {}, 'agent_a').reply();
    expect(state).toMatchObject({ status, next_agent: null, your_turn: false });
  });

  test('names nobody as next in DRAFT, and no cursor before the first message', () => {
    const state = given([], { isStarted: false }).when('read_session_state', {}, 'agent_a').reply();
    expect(state).toMatchObject({ status: 'DRAFT', next_agent: null, your_turn: false, cursor: 0 });
  });

  test('shows a directive in owner_directives alone, in full until it is answered and then by its id', () => {
    const directives = [directed('i_1'), directed('i_2'), directed('i_3')];
    const past = [...directives, acknowledged('agent_a', 'i_2'), responded('agent_a', 'i_3', 'Done.')];
    const state = given(past).when('read_session_state', {}, 'agent_a').reply();
    expect(state.owner_directives).toMatchObject([
      { intervention_id: 'i_1', text: 'Keep the API.', status: 'OPEN' },
      { intervention_id: 'i_2', text: 'Keep the API.', status: 'ACKNOWLEDGED' },
      {},
    ]);
    expect(state.owner_directives[2]).toEqual({ intervention_id: 'i_3' });
    expect(state.open_interventions).toEqual([]);
  });

  test('keeps the cursor at the latest message of all, the caller’s own too', () => {
    const past = [turnPosted('agent_a', 0), proposed('agent_b', 'd_1', { in_turn: true })];
    expect(given(past).when('read_session_state', {}, 'agent_a').reply().cursor).toBe(6);
  });
});
