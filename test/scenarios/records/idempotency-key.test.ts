import { createParley, type Parley, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, openOwnerKey } from '@parley/owner-app';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SHARED_STORE, type Store } from '../support/stores.ts';

const OWNER_KEY = `pok_${'k'.repeat(43)}`;
const MISSION = {
  title: 'Refunds',
  objective: 'A buyer gets the money back within a day.',
  requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
};

interface Process {
  readonly parley: Parley;
  /** Sends a write with a key. Returns the status and the text of the answer. */
  send(path: string, body: unknown, key?: string): Promise<readonly [number, string]>;
  close(): Promise<void>;
}

async function startProcess(storage: Storage): Promise<Process> {
  const parley = await createParley({ storage });
  const app = createOwnerApp({ parley, storage, ownerKey: await openOwnerKey('', OWNER_KEY) });
  const serving = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 100 });
  return {
    parley,
    async send(path, body, key = 'once') {
      const headers = { authorization: `Bearer ${OWNER_KEY}`, 'idempotency-key': key };
      const answer = await fetch(`${serving.url}/owner/api${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.text()];
    },
    async close() {
      await serving.close();
      await parley.close();
    },
  };
}

async function opened(): Promise<Store> {
  const store = await SHARED_STORE.open();
  onTestFinished(() => store.remove());
  return store;
}

const listed = async ({ parley }: Process) => (await parley.owner('owner').listSessions()).sessions.length;

describe('an Idempotency-Key of the owner', () => {
  test('gets the first answer from a process that was started later', async () => {
    const store = await opened();
    const storage = await store.connect();
    const first = await startProcess(storage);
    const created = await first.send('/sessions', MISSION);
    const invite = `/sessions/${JSON.parse(created[1]).session_id}/invite`;
    const invited = await first.send(invite, { role: 'agent_a' });
    await first.close();
    await storage.close();

    const later = await store.connect();
    const second = await startProcess(later);
    const answers = [await second.send('/sessions', MISSION), await second.send(invite, { role: 'agent_a' })];
    const count = await listed(second);
    await second.close();
    await later.close();
    expect(answers).toEqual([created, invited]);
    expect(JSON.parse(invited[1]).code).toMatch(/^pinv_/);
    expect(count).toBe(1);
  });

  test('makes one record in two processes that get it at the same moment', async () => {
    const store = await opened();
    const storages = [await store.connect(), await store.connect()];
    const processes = await Promise.all(storages.map(startProcess));
    const sent = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => processes[at % 2]?.send('/sessions', MISSION, 'race')),
    );
    const answers = sent.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
    const count = await listed(processes[0] as Process);
    for (const one of processes) await one.close();
    for (const storage of storages) await storage.close();
    expect(answers.map(([status]) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(new Set(answers.filter(([status]) => status === 200).map(([, text]) => text)).size).toBe(1);
    expect(count).toBe(1);
  });
});
