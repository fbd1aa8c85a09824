import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, createParley } from '../../../src/index.ts';
import { createTestClock, openSession } from '../../../src/testing/index.ts';
import { SAMPLE_SESSION } from '../../../src/testing/opening-events.ts';

async function opened() {
  const clock = createTestClock();
  const storage = createMemoryStorage({ now: clock.now });
  const parley = await createParley({ storage, clock });
  onTestFinished(() => parley.close());
  const create = async (ownerId: string, title: string, group?: string) =>
    (await parley.owner(ownerId).createSession({ ...SAMPLE_SESSION, title, ...(group === undefined ? {} : { group }) }))
      .session_id;
  const titles = async (ownerId: string, name: string) =>
    await parley
      .owner(ownerId)
      .group({ name })
      .then(
        ({ sessions }) => sessions.map(({ session }) => session.title),
        ({ code }) => code,
      );
  return { clock, storage, parley, create, titles };
}

const FULL = { code: 'LIMIT_EXCEEDED', details: { limit: 10 } };

describe('a group of sessions', () => {
  test('has the sessions of one owner that were created with its name, the oldest first', async () => {
    const { create, titles } = await opened();
    await create('ann', 'Shop', 'Checkout');
    await create('ann', 'Alone');
    await create('bob', 'Other shop', 'Checkout');
    await create('ann', 'Bank', 'checkout ');
    await create('ann', 'Mail', 'Checkout 2');
    expect(await titles('ann', 'CHECKOUT')).toEqual(['Shop', 'Bank']);
    expect(await titles('bob', 'Checkout')).toEqual(['Other shop']);
    expect(await titles('ann', 'Check')).toBe('UNKNOWN_RECORD');
  });

  test('is a member of the session in the answers for the owner, and in no answer for an agent', async () => {
    const { owner, sessionId, agentA } = await openSession({ session: { group: 'Zebra crossing' } });
    expect(await owner.view(sessionId)).toMatchObject({ group: 'Zebra crossing' });
    expect((await owner.overview()).sessions).toMatchObject([{ group: 'Zebra crossing' }]);
    const read = JSON.stringify([
      await agentA.call('read_task'),
      await agentA.call('read_session_state'),
      await agentA.call('read_messages'),
    ]);
    expect(read).not.toContain('Zebra');
  });

  test('shows where each session stands', async () => {
    const { owner, sessionId } = await openSession({ session: { group: 'G' } });
    expect(await owner.group({ name: 'G' })).toEqual({
      sessions: [
        {
          session: (await owner.overview()).sessions[0],
          contract: null,
          certified: false,
          deployment_authorized: false,
          stops: ['The contract is not approved.'],
        },
      ],
    });
    await owner.end(sessionId, { end_reason: 'CANCELLED' });
    expect((await owner.group({ name: 'G' })).sessions).toMatchObject([
      { session: { status: 'ENDED' }, stops: ['The session ended, and its deployment was not authorized.'] },
    ]);
  });

  test('refuses group_ready for a step that releases nothing, and in a session without a group', async () => {
    const { owner, sessionId } = await openSession({ session: { group: 'G' } });
    const authorize = (id: string, stage: 'build' | 'deployment' | 'release') =>
      owner.authorize(id, { stage, group_ready: true }).catch(({ code, message }) => [code, message]);
    expect(await authorize(sessionId, 'build')).toEqual([
      'INVALID_INPUT',
      'group_ready is for the deployment and the release; this call authorizes the build.',
    ]);
    const { session_id: alone } = await owner.createSession(SAMPLE_SESSION);
    for (const stage of ['deployment', 'release'] as const)
      expect(await authorize(alone, stage)).toEqual([
        'INVALID_TRANSITION',
        'The session is in no group, so group_ready has nothing to wait for.',
      ]);
  });

  test.each([
    ['two lines', 'a\nb'],
    ['an invisible character', 'a\u200bb'],
    ['a character that changes the direction', '\u202eabc'],
    ['only blanks', '  '],
    ['201 characters', 'x'.repeat(201)],
    ['a number', 7],
  ])('refuses a name with %s', async (_what, name) => {
    const { parley } = await opened();
    const owner = parley.owner('ann');
    const refusal = { code: 'INVALID_INPUT', details: { issues: [{ path: 'group' }] } };
    await expect(owner.createSession({ ...SAMPLE_SESSION, group: name as string })).rejects.toMatchObject(refusal);
    await expect(owner.group({ name: name as string })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await owner.listSessions()).toEqual({ sessions: [], next_after: null });
  });

  test('takes odd names', async () => {
    const { create, titles } = await opened();
    for (const name of ['__proto__', '"; --', '../..', '👩‍💻', 'naïve', '%00', '?a=b&c']) {
      await create('ann', `in ${name}`, name);
      expect(await titles('ann', name)).toEqual([`in ${name}`]);
    }
    expect(await titles('ann', 'nai\u0308ve')).toEqual(['in naïve']);
  });

  test('has at most ten sessions, also if they are created at the same time', async () => {
    const { create, titles, parley } = await opened();
    const outcomes = await Promise.allSettled(Array.from({ length: 13 }, (_, n) => create('ann', `S${n}`, 'G')));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toMatchObject([FULL, FULL, FULL]);
    expect(await titles('ann', 'G')).toHaveLength(10);
    expect((await parley.owner('ann').listSessions()).sessions).toHaveLength(10);
    await create('ann', 'Elsewhere', 'H');
    await create('bob', 'Another owner', 'G');
  });

  test('loses an erased session at once, and has room for another one after a minute', async () => {
    const { clock, create, titles, parley } = await opened();
    const ids = [];
    for (let n = 0; n < 10; n += 1) ids.push(await create('ann', `S${n}`, 'G'));
    for (const id of ids.slice(0, 8)) await parley.owner('ann').deleteSession(id);
    expect(await titles('ann', 'G')).toEqual(['S8', 'S9']);
    await expect(create('ann', 'early', 'G')).rejects.toMatchObject(FULL);
    await clock.advance(61_000);
    await create('ann', 'late', 'G');
    expect(await titles('ann', 'G')).toEqual(['S8', 'S9', 'late']);
    for (const id of ids.slice(8)) await parley.owner('ann').deleteSession(id);
    expect(await titles('ann', 'G')).toEqual(['late']);
  });

  test('is kept in a log that is no session, for agents and for owners', async () => {
    const { create, storage, parley } = await opened();
    await create('ann', 'Shop', 'G');
    const [log] = await storage.list('parley:group', { limit: 10 });
    expect(log).toMatchObject({ title: 'Group of sessions', seq: 1 });
    const id = String(log?.sessionId);
    expect(() => parley.owner('parley:group')).toThrow('The owner id parley:group is reserved.');
    await expect(parley.owner('ann').view(id)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    await expect(parley.owner('ann').deleteSession(id)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
  });
});
