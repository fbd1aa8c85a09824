import { randomBytes } from 'node:crypto';
import {
  createParley,
  FIRST_PERSON,
  type Owner,
  openPeople,
  type Parley,
  type People,
  type Storage,
} from '@parley/core';
import { seenIn } from '@parley/core/testing';
import { createPostgresStorage } from '@parley/storage-pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { seatCertified } from './support/contracts.ts';
import type { HostProcess } from './support/host-process.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene } from './support/scene.ts';

const ROUNDS = rounds(3, 30);

interface Place {
  readonly storage: Storage;
  readonly parley: Parley;
  readonly people: People;
}

describe.skipIf(databaseServer === null)('the approval of a person whom another process revokes', () => {
  let scene: Scene;
  let host: HostProcess;
  let here: Place;
  let there: Place;
  let made = 0;

  async function openPlace(): Promise<Place> {
    const storage = await createPostgresStorage({ connectionString: scene.databaseUrl });
    const makeKey = (): string => {
      made += 1;
      return `pok_${String(made).padStart(43, '0')}`;
    };
    return {
      storage,
      parley: await createParley({ storage }),
      people: openPeople({ storage, makeKey, random: randomBytes }),
    };
  }

  beforeAll(async () => {
    scene = await openScene();
    host = await scene.start();
    [here, there] = [await openPlace(), await openPlace()];
    return async () => {
      for (const { parley, people, storage } of [here, there]) {
        people.close();
        await parley.close();
        await storage.close();
      }
      await scene.close();
    };
  });

  const certified = () => seatCertified(scene, host, { required_approvals: 2 });

  /** A new person, who signs in with a company account, and the calls of that person at a process. */
  async function approver(name: string) {
    const subject = `https://login.example.com ${name}`;
    const { id } = await here.people.admit({ subject, name, role: 'approver' });
    const at = async ({ parley, people }: Place): Promise<Owner> => {
      const present = () => people.withId(id);
      return parley.owner(scene.ownerId, { person: await present(), present, approvers: people.approvers });
    };
    return { id, subject, name, at };
  }

  test(`counts only if the second approval was decided before the revocation, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { sessionId, exactly } = await certified();
      const [first, second, third] = [
        await approver(`First ${round}`),
        await approver(`Second ${round}`),
        await approver(`Third ${round}`),
      ];
      const approval = async (owner: Owner) => ({ ...exactly, seen: await seenIn(owner, sessionId) });
      const ofFirst = await first.at(here);
      await ofFirst.approveContract(sessionId, await approval(ofFirst));
      const ofSecond = await second.at(there);
      const input = await approval(ofSecond);
      const [revoked, approved] = await Promise.allSettled([
        here.people.calls(FIRST_PERSON).revokePerson(first.id),
        ofSecond.approveContract(sessionId, input),
      ]);
      expect([revoked.status, approved.status]).toEqual(['fulfilled', 'fulfilled']);
      const { phase, approvals } = (approved as PromiseFulfilledResult<Awaited<ReturnType<Owner['approveContract']>>>)
        .value;
      const [given, lapsed] = [approvals.given, approvals.lapsed ?? []].map((list) =>
        list.map(({ person }) => person?.name),
      );
      if (phase === 'READINESS') expect([given, lapsed]).toEqual([[first.name, second.name], []]);
      else {
        expect([phase, given, lapsed]).toEqual(['CONTRACT', [second.name], [first.name]]);
        const ofThird = await third.at(here);
        expect((await ofThird.approveContract(sessionId, await approval(ofThird))).phase).toBe('READINESS');
      }
      expect(await scene.owner.verifyLog(sessionId)).toMatchObject({ ok: true });
    }
  });

  test('does not count at the other process right after the revocation', async () => {
    const { sessionId, exactly } = await certified();
    const [first, second] = [await approver('Mallory'), await approver('Ben')];
    const ofFirst = await first.at(here);
    await ofFirst.approveContract(sessionId, { ...exactly, seen: await seenIn(ofFirst, sessionId) });
    const ofSecond = await second.at(there);
    const input = { ...exactly, seen: await seenIn(ofSecond, sessionId) };
    await here.people.calls(FIRST_PERSON).revokePerson(first.id);
    expect((await ofSecond.approveContract(sessionId, input)).phase).toBe('CONTRACT');
  });

  test('a person whom one process revoked readmits nobody at the other, however often', async () => {
    const [mallory, gone] = [await approver('Flood'), await approver('Gone')];
    const first = here.people.calls(FIRST_PERSON);
    await first.revokePerson(gone.id);
    const present = () => there.people.withId(mallory.id);
    const calls = there.people.calls(await present(), present);
    await first.revokePerson(mallory.id);
    const flood = await Promise.allSettled(Array.from({ length: 20 }, () => calls.readmitPerson(gone.id)));
    expect(flood.map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
    expect(flood.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(Array(20).fill('UNAUTHORIZED'));
    await expect(there.people.admit({ subject: gone.subject, name: 'Gone', role: 'approver' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});
