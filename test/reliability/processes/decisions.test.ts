import { createParley, type Owner, type Parley, type ParleyError, type Storage } from '@parley/core';
import { seenIn } from '@parley/core/testing';
import { createPostgresStorage } from '@parley/storage-pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { HANDSHAKE, seatWithBuild } from './support/builds.ts';
import { demand } from './support/contracts.ts';
import { query } from './support/database.ts';
import type { HostProcess } from './support/host-process.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene } from './support/scene.ts';

const ROUNDS = rounds(3, 40);

describe.skipIf(databaseServer === null)('an authorization on one process, while an agent declares on another', () => {
  let scene: Scene;
  let host: HostProcess;
  let there: Parley;
  let owner: Owner;
  let storage: Storage;

  beforeAll(async () => {
    scene = await openScene();
    host = await scene.start();
    storage = await createPostgresStorage({ connectionString: scene.databaseUrl });
    there = await createParley({ storage });
    owner = there.owner(scene.ownerId);
    return async () => {
      await there.close();
      await storage.close();
      await scene.close();
    };
  });

  /** A session whose deployment can be authorized. */
  async function releasable() {
    const seats = await seatWithBuild(scene, host);
    const { agent_a, agent_b } = seats;
    const at = { scenario_id: 'test-level', attempt: 1 };
    await demand({ host, seat: agent_a, route: 'POST verify/attempts', body: { scenario_id: 'test-level' } });
    const item = { ...at, kind: 'log', claim: 'It holds.', summary: 'Two are shown.', request_id: 'run-1' };
    for (const seat of [agent_a, agent_b]) await demand({ host, seat, route: 'POST verify/evidence', body: item });
    await demand({ host, seat: agent_b, route: 'POST verify/verifications', body: { ...at, verdict: 'PASS' } });
    return agent_a;
  }

  /** The kinds of the events of a session after an event that decide the race, in their order. */
  async function deciding(sessionId: string, after: number): Promise<string[]> {
    const kinds: string[] = [];
    for await (const line of owner.exportLog(sessionId)) {
      const { kind, seq } = JSON.parse(JSON.parse(line).event);
      if (seq > after && /^(handshake|deployment)\./.test(kind)) kinds.push(kind);
    }
    return kinds;
  }

  test(`is of the service that the owner saw, or is refused, ${ROUNDS} times`, async () => {
    const tally = { authorized: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const seat = await releasable();
      const { sessionId } = seat;
      const seen = await seenIn(owner, sessionId);
      const body = { ...HANDSHAKE, version: `1.0.${round + 1}` };
      const [decision] = await Promise.allSettled([
        owner.authorize(sessionId, { stage: 'deployment', seen }),
        demand({ host, seat, route: 'POST verify/handshake', body }),
      ]);
      if (decision.status === 'fulfilled') {
        tally.authorized += 1;
        expect(await deciding(sessionId, seen)).toEqual(['deployment.authorized', 'handshake.declared']);
      } else {
        tally.refused += 1;
        const { code, details } = decision.reason as ParleyError;
        expect([code, details.changed]).toMatchObject([
          'GROUNDS_CHANGED',
          [{ record: { type: 'handshake', id: 'agent_a' } }],
        ]);
        expect(await deciding(sessionId, seen)).toEqual(['handshake.declared']);
      }
    }
    console.log(`authorizations: ${tally.authorized} came first, ${tally.refused} were refused`);
  });

  test('is refused if a restore took the event away that the owner had read, and another has its number', async () => {
    const seat = await releasable();
    const { sessionId } = seat;
    const declare = async (version: string) => {
      await demand({ host, seat, route: 'POST verify/handshake', body: { ...HANDSHAKE, version } });
      return (await owner.view(sessionId)).head;
    };
    const { seq: kept } = (await owner.view(sessionId)).head;
    const { seq: seen, hash: seen_hash } = await declare('1.0.1');
    await query(
      scene.databaseUrl,
      `with gone as (delete from parley_event where session_id = '${sessionId}' and seq > ${kept})
       update parley_session set seq = ${kept},
         hash = (select hash from parley_event where session_id = '${sessionId}' and seq = ${kept})
       where session_id = '${sessionId}'`,
    );
    const replaced = await declare('6.6.6');
    expect([replaced.seq, replaced.hash === seen_hash]).toEqual([seen, false]);
    const decision = { stage: 'deployment', seen, seen_hash } as const;
    await expect(owner.authorize(sessionId, decision)).rejects.toMatchObject({
      code: 'GROUNDS_CHANGED',
      message: `The log no longer has the event ${seen} that you had read: a restore or a failover replaced it.`,
      details: { head: { seq: seen, hash: replaced.hash } },
    });
    expect(await deciding(sessionId, kept)).toEqual(['handshake.declared']);
    const { phase } = await owner.authorize(sessionId, { ...decision, seen_hash: replaced.hash });
    expect(phase).toBe('RELEASE');
  });
});
