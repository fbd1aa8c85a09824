import { randomBytes } from 'node:crypto';
import { createParley, openPeople } from '@parley/core';
import { createTestClock } from '@parley/core/testing';
import { makeOwnerKey } from '@parley/owner-app';
import { createPostgresStorage, distributePostgres } from '@parley/storage-pg';
import { expect, onTestFinished, test } from 'vitest';
import { createCitusDatabase, startCitus } from '../../../scripts/servers/citus-cluster.ts';
import { joinSession } from '../../support/join-session.ts';
import { SESSION } from '../processes/support/mission.ts';
import { portOf } from './support/cluster-service.ts';

test('agents go on while the worker with the log of people is away, and people come back with it', async () => {
  const cluster = await startCitus({ durable: true });
  if (cluster === null) throw new Error('Citus is not installed.');
  onTestFinished(() => cluster.stop());
  const workers = cluster.workers.map((worker) => worker.url);
  const { url } = await createCitusDatabase(cluster.coordinator.url, workers);
  await distributePostgres({ connectionString: url });
  const storage = await createPostgresStorage({ connectionString: url });
  onTestFinished(() => storage.close());
  const clock = createTestClock();
  const people = openPeople({ storage, clock, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  const parley = await createParley({ storage, clock, limitsOf: people.limitsOf });
  onTestFinished(() => parley.close());
  const { account } = await people.calls().addAccount({ name: 'Acme', limits: { events: 1_000 } });
  const { key } = await people.calls().addPerson({ name: 'Ada', role: 'operator', account_id: account.account_id });
  const owner = parley.owner(account.account_id);

  const portOfPeople = await portOf(url, 'people');
  const joined = () => joinSession({ parley, owner }, { session: SESSION, withModerator: false });
  let one = await joined();
  while ((await portOf(url, one.sessionId)) === portOfPeople) one = await joined();
  const post = () => parley.agent(one.tokens.agent_a).call('submit_decision', { topic: 'Ids', position: 'UUIDs.' });
  await post();

  const dead = cluster.workers.find((worker) => Number(new URL(worker.url).port) === portOfPeople);
  await dead?.kill();
  clock.advance(60_000);
  await post();
  await post();
  await expect(people.withKey(key)).rejects.toMatchObject({ name: 'StorageUnavailable' });
  await expect(owner.audit({})).rejects.toMatchObject({ name: 'StorageUnavailable' });
  await expect(owner.inbox({})).rejects.toMatchObject({ name: 'StorageUnavailable' });
  expect(await owner.verifyLog(one.sessionId)).toMatchObject({ ok: true });

  await dead?.restart();
  await expect.poll(() => people.withKey(key).catch(() => undefined)).toMatchObject({ name: 'Ada', role: 'operator' });
  clock.advance(60_000);
  await post();
  expect((await owner.audit({ session_id: one.sessionId })).events.length).toBeGreaterThan(1);
  expect(await people.verifyLog()).toMatchObject({ ok: true });
});
