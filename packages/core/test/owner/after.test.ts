import { describe, expect, test } from 'vitest';
import { ownerOperations } from '../../src/areas/owner-registry.ts';
import { createMemoryStorage } from '../../src/index.ts';
import { openSession } from '../../src/testing/index.ts';

test.each(ownerOperations.filter(({ decide }) => decide !== undefined))('$name says what it has done', ({ said }) => {
  expect(said).toBeTypeOf('function');
});

describe('act', () => {
  test('answers like the call, with what the write has done and the view of the session after it', async () => {
    const { owner, sessionId } = await openSession();
    const { after, ...answer } = await owner.act('extendRounds', sessionId, { rounds: 2 });
    expect(answer).toEqual({ session_id: sessionId, status: 'ACTIVE', phase: 'PLANNING', round_limit: 5 });
    expect(after).toEqual({
      said: 'The session has 5 rounds in all now.',
      view: await owner.call('view', sessionId),
    });
  });

  test('is made although the last calls of the agents cannot be read', async () => {
    const storage = createMemoryStorage();
    const { owner, sessionId } = await openSession({
      storage: { ...storage, loadCalls: () => Promise.reject(new TypeError('The id cannot be stored.')) },
    });
    expect(await owner.act('pause', sessionId, { reason: 'Lunch.' })).toMatchObject({
      status: 'PAUSED',
      after: { said: expect.stringContaining('paused') },
    });
    await expect(owner.act('pause', '\u0000', { reason: 'Lunch.' })).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
  });

  test('is stored although the view of the session cannot be made, and answers without it', async () => {
    const storage = createMemoryStorage();
    const faults: unknown[] = [];
    const { owner, sessionId } = await openSession({
      storage: {
        ...storage,
        loadCalls: async ([id = '']) => [{ sessionId: id, role: 'agent_a', atMs: 1e300, isWaiting: false }],
      },
      onFailure: (error) => void faults.push(error),
    });
    expect(await owner.act('pause', sessionId, { reason: 'Lunch.' })).toEqual({
      ...{ session_id: sessionId, status: 'PAUSED', phase: 'PLANNING', round_limit: 3 },
    });
    expect(faults).toEqual([expect.any(RangeError)]);
    expect(await owner.call('blockers', sessionId)).toBeDefined();
  });

  test('names an agent in one line of visible characters', async () => {
    const { owner, sessionId } = await openSession({
      session: { agents: { agent_b: { name: 'Ben\u202e\u0007\u2028x' } } },
    });
    const { after } = await owner.act('start', sessionId, { first_turn: 'agent_b' });
    expect(Object(after).said).toMatch(/^Ben\\u\{202e\}\\u\{7\} x \(agent_b\) begins now\./);
  });

  test('says what the write has changed in the state before it', async () => {
    const { owner, sessionId } = await openSession();
    const saidBy = async (first_turn: string) =>
      Object((await owner.act('start', sessionId, { first_turn })).after).said;
    expect([await saidBy('agent_b'), await saidBy('agent_b')]).toEqual([
      'Ben (agent_b) begins now. The session was started before.',
      'Nothing changes: the session was started before, and Ben (agent_b) begins already.',
    ]);
  });

  test.each([
    ['ask', 'Question i_1 is asked Ben (agent_b).', ''],
    ['direct', 'Directive i_1 is given to Ben (agent_b).', ' The directive is binding until you withdraw it.'],
  ])('%s names the agent that has no access', async (name, begin, effect) => {
    const { owner, sessionId } = await openSession();
    await owner.revoke(sessionId, { role: 'agent_b' });
    const { after } = await owner.act(name, sessionId, { targets: ['agent_b'], text: 'Say which port.' });
    expect(Object(after).said).toBe(
      `${begin}${effect} Ben (agent_b) has no access: it reads this after it has joined.`,
    );
  });

  test('is refused as the call is, and stores nothing', async () => {
    const { owner, sessionId } = await openSession();
    await expect(owner.act('resume', sessionId)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    await expect(owner.act('juggle', sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(owner.act('pause', 'x'.repeat(22), { reason: 'Lunch.' })).rejects.toMatchObject({
      code: 'UNKNOWN_RECORD',
    });
  });

  test('answers a read like the call', async () => {
    const { owner, sessionId } = await openSession();
    expect(await owner.act('blockers', sessionId)).toEqual(await owner.call('blockers', sessionId));
  });
});
