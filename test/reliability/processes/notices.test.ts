import { createParley, type Owner } from '@parley/core';
import { OWNER_ID } from '@parley/owner-app';
import { createPostgresStorage } from '@parley/storage-pg';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../scenarios/support/stores.ts';
import { SESSION } from './support/mission.ts';
import { type OwnerServer, startOwnerServer } from './support/owner-server.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer } from './support/scene.ts';
import { openWebhook, WEBHOOK_SECRET, type Webhook } from './support/webhook.ts';

const KILLS = rounds(1, 10);
const SESSIONS = rounds(6, 60);
const KEY = `pok_${'k'.repeat(43)}`;

describe.skipIf(databaseServer === null)('notices of several processes', () => {
  let databaseUrl: string;
  let owner: Owner;
  let redeem: (code: string) => Promise<string>;
  let webhook: Webhook;
  beforeAll(async () => {
    const { url, remove } = await openDatabase(databaseServer ?? '');
    const storage = await createPostgresStorage({ connectionString: url });
    const parley = await createParley({ storage });
    databaseUrl = url;
    owner = parley.owner(OWNER_ID);
    redeem = async (code) => (await parley.redeem({ code })).token;
    return async () => {
      await parley.close();
      await storage.close();
      await remove();
    };
  });
  beforeEach(async () => {
    webhook = await openWebhook();
    return () => webhook.close();
  });

  async function start(): Promise<OwnerServer> {
    const server = await startOwnerServer({
      DATABASE_URL: databaseUrl,
      PARLEY_OWNER_KEY: KEY,
      PARLEY_WEBHOOK_URL: webhook.url,
      PARLEY_WEBHOOK_SECRET: WEBHOOK_SECRET,
    });
    onTestFinished(() => void server.process.kill('SIGKILL'));
    return server;
  }

  /** Creates and starts a session. `ask` posts a turn in which agent_a asks the owner a blocking question. */
  async function openSession() {
    const { session_id } = await owner.createSession(SESSION);
    const { code } = await owner.invite(session_id, { role: 'agent_a' });
    const token = await redeem(code);
    await owner.start(session_id);
    return {
      sessionId: session_id,
      id: `${session_id}:QUESTION:q_1:1`,
      async ask({ url }: OwnerServer) {
        const questions = [{ text: 'Which port?', to: 'owner', blocking: true }];
        const response = await fetch(`${url}/api/public/agent/sessions/${session_id}/turns`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ summary: 'A turn.', questions }),
        });
        expect(response.status).toBe(200);
      },
    };
  }

  /** Resolves when the deliveries of all notices are recorded. After that no notice is sent again. */
  const recorded = (sessionId: string): Promise<void> =>
    expect.poll(async () => await owner.dueNotices(sessionId)).toEqual([]);

  test(`are sent again by the same id after a kill between answer and record, ${KILLS} times`, async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const before = webhook.ids.length;
      const { sessionId, id, ask } = await openSession();
      const server = await start();
      webhook.answer = async () => {
        await server.end('SIGKILL');
        return 204;
      };
      await ask(server);
      await webhook.until(before + 1);
      await server.end('SIGKILL');
      expect(await owner.dueNotices(sessionId)).toMatchObject([{ notice_id: id }]);
      webhook.answer = () => 204;
      const next = await start();
      await webhook.until(before + 2);
      await recorded(sessionId);
      await next.end('SIGTERM');
      expect(webhook.ids.slice(before)).toEqual([id, id]);
    }
  });

  test(`arrive once each from two servers at once, ${SESSIONS} of them`, async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const sessions = await Promise.all(Array.from({ length: SESSIONS }, openSession));
    await Promise.all(sessions.map(({ ask }, index) => ask(index % 2 === 0 ? one : other)));
    for (const { sessionId } of sessions) await recorded(sessionId);
    expect(webhook.ids.toSorted()).toEqual(sessions.map(({ id }) => id).toSorted());
  });

  test('are lost over no restart, while the receiver is away too', async () => {
    const server = await start();
    webhook.answer = () => 503;
    const { sessionId, id, ask } = await openSession();
    await ask(server);
    await webhook.until(1);
    await expect.poll(() => server.log()).toContain('a notice was not delivered');
    await server.end('SIGTERM');
    webhook.answer = () => 204;
    await start();
    await recorded(sessionId);
    expect(new Set(webhook.ids)).toEqual(new Set([id]));
    expect(server.log()).not.toContain(WEBHOOK_SECRET.slice(6));
    expect(server.log()).not.toContain(webhook.url);
  });

  test('keep no server from stopping while the receiver hangs, and no request from its answer', async () => {
    const server = await start();
    let letGo = (): void => undefined;
    webhook.answer = () =>
      new Promise((resolve) => {
        letGo = () => resolve(204);
      });
    const { ask } = await openSession();
    await ask(server);
    await webhook.until(1);
    const another = await openSession();
    await another.ask(server);
    await server.end('SIGTERM');
    expect(server.process.exitCode).toBe(0);
    letGo();
  });
});
