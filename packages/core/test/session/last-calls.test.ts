import { describe, expect, test } from 'vitest';
import { createParley, type Parley, type Storage } from '../../src/index.ts';
import { type OpenedSession, openSession } from '../../src/testing/index.ts';

const MINUTE = 60_000;

const agentOf = async ({ owner }: Pick<OpenedSession, 'owner'>, role: string) =>
  (await owner.overview()).sessions[0]?.agents.find((agent) => agent.role === role);

/** Starts another process on the same storage. */
const processOn = async ({ storage, clock }: OpenedSession): Promise<Parley> =>
  await createParley({ storage: siblingOf(storage), clock });

const siblingOf = (storage: Storage): Storage =>
  'sibling' in storage && typeof storage.sibling === 'function' ? storage.sibling() : storage;

describe('the last call of an agent', () => {
  test('of one process is seen through another, 15 seconds later at the most, and costs no event', async () => {
    const opened = await openSession();
    const { clock, tokens, owner, sessionId } = opened;
    const second = await processOn(opened);
    clock.advance(MINUTE);
    const { seq } = (await owner.view(sessionId)).head;
    await second.agent(tokens.agent_b).call('read_session_state');
    expect(await agentOf(opened, 'agent_b')).toMatchObject({ last_call_at: null });
    clock.advance(15_000);
    await expect.poll(async () => (await agentOf(opened, 'agent_b'))?.last_call_at).toBe('2026-01-05T09:01:00.000Z');
    expect((await owner.view(sessionId)).head.seq).toBe(seq);
    await second.close();
  });

  test('that waits in another process is shown as waiting, until that process no longer saves it', async () => {
    const opened = await openSession();
    const { clock, tokens } = opened;
    const second = await processOn(opened);
    const held = second.agent(tokens.agent_b).call('wait_for_my_turn', { wait: 25 });
    await expect.poll(() => second.heldPolls()).toBe(1);
    clock.advance(16_000);
    await expect.poll(async () => (await agentOf(opened, 'agent_b'))?.waiting).toBe(true);
    clock.advance(10_000);
    await held;
    await second.close();
    expect(await agentOf(opened, 'agent_b')).toMatchObject({ waiting: false });
  });

  test('is saved in one call of the storage together with the others', async () => {
    const told: number[] = [];
    const plain = await openSession();
    const { storage, clock, tokens } = plain;
    const counted: Storage = {
      ...storage,
      saveCalls: async (calls) => {
        told.push(calls.length);
        await storage.saveCalls?.(calls);
      },
    };
    const parley = await createParley({ storage: counted, clock });
    for (let calls = 0; calls < 50; calls += 1) await parley.agent(tokens.agent_a).call('read_session_state');
    await parley.agent(tokens.agent_b).call('read_session_state');
    expect(told).toEqual([]);
    clock.advance(15_000);
    expect(told).toEqual([2]);
    clock.advance(60_000);
    expect(told).toEqual([2]);
    await parley.close();
  });

  test('is stored before a process has closed, also if its storage is slow, or refuses the first attempt', async () => {
    const opened = await openSession();
    const { storage, clock, tokens } = opened;
    let refuse = (): void => expect.unreachable();
    const refused = new Promise<void>((_resolve, reject) => {
      refuse = () => reject(new Error('No connection.'));
    });
    let isSlow = true;
    const slow: Storage = {
      ...storage,
      async saveCalls(calls) {
        if (isSlow) await refused;
        await storage.saveCalls?.(calls);
      },
    };
    const parley = await createParley({ storage: slow, clock });
    clock.advance(MINUTE);
    await parley.agent(tokens.agent_b).call('read_session_state');
    clock.advance(15_000);
    let isClosed = false;
    const closed = parley.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    isSlow = false;
    refuse();
    await closed;
    expect(await agentOf(opened, 'agent_b')).toMatchObject({ last_call_at: '2026-01-05T09:01:00.000Z' });
  });

  test('that cannot be stored fails no call, and is reported once until it can be stored again', async () => {
    const { storage, clock, tokens } = await openSession();
    let isDeaf = true;
    const saved: unknown[] = [];
    const deaf: Storage = {
      ...storage,
      saveCalls: async (calls) => {
        saved.push(calls);
        if (isDeaf) throw new Error('No connection.');
        await storage.saveCalls?.(calls);
      },
    };
    const failures: unknown[] = [];
    const onFailure = (_error: unknown, place: string) => void failures.push(place);
    const parley = await createParley({ storage: deaf, clock, onFailure });
    const saves = async (count: number) => {
      await parley.agent(tokens.agent_a).call('read_session_state');
      clock.advance(15_000);
      await expect.poll(() => saved.length).toBe(count);
      await new Promise(setImmediate);
    };
    await saves(1);
    await saves(2);
    expect(failures).toEqual(['presence']);
    isDeaf = false;
    await saves(3);
    isDeaf = true;
    await saves(4);
    await parley.close();
    expect(failures).toEqual(['presence', 'presence']);
  });

  test('with an earlier token does not count for the present one, and no agent sees one', async () => {
    const opened = await openSession();
    const { clock, owner, parley, sessionId, agentA, agentB, moderator } = opened;
    clock.advance(MINUTE);
    await agentA.call('read_session_state');
    expect(await agentOf(opened, 'agent_a')).toMatchObject({ last_call_at: '2026-01-05T09:01:00.000Z' });
    clock.advance(MINUTE);
    const { code } = await owner.invite(sessionId, { role: 'agent_a' });
    await parley.redeem({ code });
    expect(await agentOf(opened, 'agent_a')).toMatchObject({ last_call_at: null, joined: true, revoked: false });
    const seen = [
      await agentB.call('read_session_state'),
      await agentB.call('read_task'),
      await moderator.call('get_moderator_status'),
    ];
    expect(JSON.stringify(seen)).not.toMatch(/last_call_at|AGENT_ABSENT|silent/);
  });
});
