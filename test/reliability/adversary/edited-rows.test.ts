import { createParley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../scenarios/support/stores.ts';
import { joinSession } from '../../support/join-session.ts';
import { SESSION } from './support/target.ts';

const databaseUrl = inject('databaseUrl');

/** Opens the database with a new storage and a new Parley, whose caches are empty. */
async function openCold(connectionString: string) {
  const storage = await createPostgresStorage({ connectionString });
  const parley = await createParley({ storage, onFailure: () => undefined });
  return {
    parley,
    owner: parley.owner('owner'),
    async close() {
      await parley.close();
      await storage.close();
    },
  };
}

/** Makes two sessions. The tests edit rows of the session `brokenId`, and none of `wholeId`. */
async function makeSessions(connectionString: string): Promise<{ brokenId: string; wholeId: string }> {
  const { parley, owner, close } = await openCold(connectionString);
  const joined = await joinSession({ parley, owner }, { session: SESSION, withModerator: false });
  const { sessionId: brokenId, tokens } = joined;
  const agents = [parley.agent(tokens.agent_a), parley.agent(tokens.agent_b)];
  for (const [turn, agent] of [...agents, ...agents].entries())
    await agent.call('post_turn', {
      summary: `Turn ${turn}.`,
      proposed_decisions: [{ topic: `T${turn}`, position: 'P' }],
    });
  const { session_id: wholeId } = await owner.createSession({ ...SESSION, title: 'Whole' });
  await close();
  return { brokenId, wholeId };
}

const DAMAGES = [
  [
    'edited',
    "update parley_event set body = overlay(body placing '~' from length(body) / 2) where session_id = $1 and seq = $2",
  ],
  ['deleted', 'delete from parley_event where session_id = $1 and seq = $2'],
] as const;

test.skipIf(databaseUrl === null).each(DAMAGES)(
  'each stored event, %s, is named, and hides no other session',
  async (_what, damage) => {
    const { url, remove } = await openDatabase(databaseUrl ?? '');
    onTestFinished(remove);
    const { brokenId, wholeId } = await makeSessions(url);
    const database = new pg.Client({ connectionString: url });
    await database.connect();
    onTestFinished(() => database.end());
    const { rows } = await database.query('select * from parley_event where session_id = $1 order by seq', [brokenId]);
    expect(rows.length).toBeGreaterThan(9);
    for (const { seq, hash, body } of rows) {
      await database.query(damage, [brokenId, seq]);
      const { owner, close } = await openCold(url);
      expect(await owner.verifyLog(brokenId)).toMatchObject({ ok: false, fault: { seq } });
      await expect(owner.view(brokenId)).rejects.toMatchObject({ code: 'LOG_BROKEN', details: { event: seq } });
      const { sessions } = await owner.overview();
      expect(sessions.map(({ session_id, fault }) => [session_id, fault?.code])).toEqual([
        [wholeId, undefined],
        [brokenId, 'LOG_BROKEN'],
      ]);
      await close();
      await database.query('delete from parley_event where session_id = $1 and seq = $2', [brokenId, seq]);
      await database.query('insert into parley_event (session_id, seq, hash, body) values ($1, $2, $3, $4)', [
        brokenId,
        seq,
        hash,
        body,
      ]);
    }
    const { owner, close } = await openCold(url);
    expect(await owner.verifyLog(brokenId)).toMatchObject({ ok: true, events: rows.length });
    await close();
  },
);
