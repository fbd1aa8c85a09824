import { createParley, type Owner, type Parley, type Person, type Storage } from '@parley/core';
import { seenIn } from '@parley/core/testing';
import { createPostgresStorage } from '@parley/storage-pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { seatCertified } from './support/contracts.ts';
import type { HostProcess } from './support/host-process.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene } from './support/scene.ts';

const ROUNDS = rounds(3, 40);
const RETRIES = 4;
const ADA: Person = { id: 'p_1', name: 'Ada', role: 'approver' };
const BEN: Person = { id: 'p_2', name: 'Ben', role: 'approver' };

describe.skipIf(databaseServer === null)('an approval that needs two people, over two processes', () => {
  let scene: Scene;
  let host: HostProcess;
  let here: Parley;
  let there: Parley;
  const storages: Storage[] = [];

  beforeAll(async () => {
    scene = await openScene();
    host = await scene.start();
    for (let count = 0; count < 2; count += 1)
      storages.push(await createPostgresStorage({ connectionString: scene.databaseUrl }));
    [here, there] = (await Promise.all(storages.map((storage) => createParley({ storage })))) as [Parley, Parley];
    return async () => {
      for (const parley of [here, there]) await parley.close();
      for (const storage of storages) await storage.close();
      await scene.close();
    };
  });

  const ownerAt = (parley: Parley, person: Person): Owner => parley.owner(scene.ownerId, { person });

  const certified = () => seatCertified(scene, host, { required_approvals: 2 });

  async function approvalsIn(sessionId: string): Promise<string[]> {
    const found: string[] = [];
    for await (const line of scene.owner.exportLog(sessionId)) {
      const { kind, person } = JSON.parse(JSON.parse(line).event);
      if (kind === 'approval.given' || kind === 'contract.approved') found.push(`${kind} ${person?.name}`);
    }
    return found;
  }

  test(`is given by the two, once each, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { sessionId, exactly } = await certified();
      const seen = await seenIn(ownerAt(here, ADA), sessionId);
      const calls = [ownerAt(here, ADA), ownerAt(there, BEN)].map((owner) =>
        owner.approveContract(sessionId, { ...exactly, seen }),
      );
      const phases = (await Promise.all(calls)).map(({ phase }) => phase);
      expect(phases.toSorted()).toEqual(['CONTRACT', 'READINESS']);
      const [first, second, ...more] = await approvalsIn(sessionId);
      expect(more).toEqual([]);
      expect([first, second]).toEqual(
        first?.endsWith('Ada')
          ? ['approval.given Ada', 'contract.approved Ben']
          : ['approval.given Ben', 'contract.approved Ada'],
      );
      expect(await scene.owner.verifyLog(sessionId)).toMatchObject({ ok: true });
    }
  });

  test('is not given by one person who calls at both many times', async () => {
    const { sessionId, exactly } = await certified();
    const seen = await seenIn(ownerAt(here, ADA), sessionId);
    const calls = Array.from({ length: 2 * RETRIES }, (_, index) =>
      ownerAt(index % 2 === 0 ? here : there, ADA).approveContract(sessionId, { ...exactly, seen }),
    );
    const phases = (await Promise.all(calls)).map(({ phase }) => phase);
    expect(new Set(phases)).toEqual(new Set(['CONTRACT']));
    expect(await approvalsIn(sessionId)).toEqual(['approval.given Ada']);
  });
});
