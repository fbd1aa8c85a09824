import { describe, expect, test } from 'vitest';
import { given, openSession, seenIn } from '../../src/testing/index.ts';
import { SAMPLE_CONTRACT } from '../contract/sample-contract.ts';
import { proposed } from '../past.ts';

const TOPIC = { topic: 'Store' };

/** Both builders have resolved d_1 on a topic, the owner has requested changes, and both have read that. */
async function requested() {
  const session = await openSession();
  const { agentA, agentB, owner, sessionId } = session;
  await agentA.call('submit_decision', { ...TOPIC, position: 'PostgreSQL 15' });
  for (const agent of [agentA, agentB]) {
    await agent.call('accept_decision', { decision_id: 'd_1' });
    await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows the schema.' });
  }
  await agentA.call('submit_contract', { contract: SAMPLE_CONTRACT, expected_parent_id: '', reason: 'As decided.' });
  await owner.requestChanges(sessionId, { reason: 'Another store.', seen: await seenIn(owner, sessionId) });
  const told = [];
  for (const agent of [agentA, agentB]) told.push((await agent.call('read_session_state', {})).instruction.text);
  return { ...session, told };
}

const STANDS = {
  decision_id: 'd_2',
  position: 'PostgreSQL 16',
  status: 'PROPOSED',
  proposed_by: 'agent_a',
  accepted_by: ['agent_a'],
};
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { body(): unknown }) => error.body(),
  );

describe('two builders that replace the same decision', () => {
  test('at once: the later one is refused with the position that stands there', async () => {
    const { agentA, agentB } = await requested();
    const [first, second] = await Promise.allSettled([
      agentA.call('submit_decision', { ...TOPIC, position: 'PostgreSQL 16', accept: true }),
      agentB.call('submit_decision', { ...TOPIC, position: 'SQLite', accept: true }),
    ]);
    expect(first).toMatchObject({ value: { decision: { decision_id: 'd_2', supersedes: 'd_1' } } });
    if (second.status === 'fulfilled') throw new Error('The second call must be refused.');
    expect(second.reason.body()).toEqual({
      ok: false,
      error: 'POSITION_CHANGED',
      message: 'agent_a has proposed d_2 on this topic since you last read, and it is open: see current.',
      hint: 'Read current. Accept it with accept_decision, reject it with reject_decision, or send your position again with its decision_id as supersedes. If current is null, leave supersedes out.',
      current: STANDS,
    });
    const { decisions } = await agentA.call('list_decisions', {});
    expect(decisions.map(({ decision_id, status }) => `${decision_id} ${status}`)).toEqual([
      'd_1 SUPERSEDED',
      'd_2 PROPOSED',
    ]);
  });

  test('in a turn: the whole turn is refused', async () => {
    const { agentA, agentB } = await requested();
    const turn = (position: string) => ({ summary: 'Another store.', proposed_decisions: [{ ...TOPIC, position }] });
    await agentB.call('submit_decision', { ...TOPIC, position: 'SQLite' });
    const refused = await refusal(agentA.call('post_turn', turn('PostgreSQL 16')));
    expect(refused).toMatchObject({ error: 'POSITION_CHANGED', current: { decision_id: 'd_2', position: 'SQLite' } });
    const proposed_decisions = [{ ...TOPIC, position: 'PostgreSQL 16', supersedes: 'd_2' }];
    const { decision_ids } = await agentA.call('post_turn', { summary: 'Another store.', proposed_decisions });
    expect(decision_ids).toEqual(['d_3']);
  });

  test.each([
    ['names it', { supersedes: 'd_2' }],
    ['sends the same call again, because the refusal showed it', {}],
  ])('the refused builder supersedes it if it %s', async (_how, also) => {
    const { agentA, agentB } = await requested();
    await agentA.call('submit_decision', { ...TOPIC, position: 'PostgreSQL 16' });
    const mine = { ...TOPIC, position: 'SQLite' };
    await refusal(agentB.call('submit_decision', mine));
    const { decision } = await agentB.call('submit_decision', { ...mine, ...also });
    expect(decision).toMatchObject({ decision_id: 'd_3', supersedes: 'd_2' });
  });

  test.each(['read_session_state', 'read_messages', 'list_decisions'] as const)(
    'one after the other: a builder that has called %s since then needs to name nothing',
    async (read) => {
      const { agentA, agentB } = await requested();
      await agentA.call('submit_decision', { ...TOPIC, position: 'PostgreSQL 16' });
      await agentB.call(read, {});
      const { decision } = await agentB.call('submit_decision', { ...TOPIC, position: 'SQLite' });
      expect(decision).toMatchObject({ decision_id: 'd_3', supersedes: 'd_2' });
    },
  );

  test('a builder revises its own proposal, and one that it has accepted, without a read', async () => {
    const { agentA, agentB } = await requested();
    await agentA.call('submit_decision', { ...TOPIC, position: 'PostgreSQL 16' });
    await agentA.call('submit_decision', { ...TOPIC, position: 'PostgreSQL 17' });
    await agentB.call('accept_decision', { decision_id: 'd_3' });
    const { decision } = await agentB.call('submit_decision', { ...TOPIC, position: 'SQLite' });
    expect(decision).toMatchObject({ decision_id: 'd_4', supersedes: 'd_3' });
  });

  test('both are told by the request for changes whose move it is', async () => {
    const { told } = await requested();
    expect(told[0]).toContain('You propose the new position of each decision that the request touches');
    expect(told[1]).toBe(
      'Wait for agent_a to remove the blocker CHANGES_REQUESTED on r_1. As Contract Author, agent_a proposes the new positions: accept or reject them with accept_decision and reject_decision.',
    );
  });
});

describe('supersedes', () => {
  const past = [
    proposed('agent_a', 'd_1'),
    proposed('agent_a', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' }),
  ];
  const submit = (supersedes: string, position = 'MySQL') =>
    given(past).when('submit_decision', { ...TOPIC, position, supersedes }, 'agent_a');

  test('names the decision that stands, and is stored as before', () => {
    submit('d_2').thenEvents(proposed('agent_a', 'd_3', { position: 'MySQL', revision: 3, supersedes: 'd_2' }));
  });

  test('is refused for any other decision, with the one that stands', () => {
    expect(submit('d_1').refusal()).toMatchObject({
      error: 'POSITION_CHANGED',
      message: 'd_1 does not stand on this topic: d_2 does, see current.',
      current: { decision_id: 'd_2', position: 'SQLite' },
    });
    const none = given().when('submit_decision', { ...TOPIC, position: 'MySQL', supersedes: 'd_1' }, 'agent_a');
    expect(none.refusal()).toMatchObject({
      error: 'POSITION_CHANGED',
      message: 'd_1 does not stand on this topic: no decision does.',
      current: null,
    });
  });

  test('is ignored for the position that stands already, so that a call can be repeated', () => {
    submit('d_1', 'SQLite').thenEvents();
  });
});
