import { randomBytes } from 'node:crypto';
import { createParley, FIRST_ACCOUNT, FIRST_PERSON, openPeople, type Storage } from '@parley/core';
import { makeOwnerKey } from '@parley/owner-app';
import { describe, expect, onTestFinished, test } from 'vitest';
import { domain } from '../../packages/core/src/areas/domain.ts';
import { createExactly, prepareEvents } from '../../packages/core/src/kernel/session/append.ts';
import { createTestClock } from '../../packages/core/src/testing/index.ts';
import { openingEvents } from '../../packages/core/src/testing/opening-events.ts';
import { SAMPLE_HASH } from '../../packages/core/test/contract/sample-contract.ts';
import { certified } from '../../packages/core/test/story.ts';
import { SHARED_STORE } from './support/stores.ts';

const SESSION = 'SessionWithTwoApprovers';

/** Stores a session with a certified contract that needs two approvers. */
async function seatCertified(storage: Storage): Promise<void> {
  const clock = createTestClock();
  let state = domain.empty(SESSION);
  const opening = openingEvents({ session: { required_approvals: 2 } }).map((event) =>
    event.kind === 'session.created' ? { ...event, data: { ...event.data, owner_id: FIRST_ACCOUNT.id } } : event,
  );
  const all = [...opening, ...certified].map((event) => {
    const prepared = prepareEvents(domain, state, [event], clock.now());
    state = prepared.state;
    return prepared;
  });
  const whole = {
    state,
    events: all.flatMap(({ events }) => events),
    stored: all.flatMap(({ stored }) => stored),
    documents: all.flatMap(({ documents }) => documents),
  };
  await createExactly({ storage, clock, domain }, whole, null);
}

describe('where two people must approve', () => {
  async function start() {
    const store = await SHARED_STORE.open();
    const storage = await store.connect();
    const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
    const parley = await createParley({ storage });
    onTestFinished(async () => {
      people.close();
      await parley.close();
      await storage.close();
      await store.remove();
    });
    await seatCertified(storage);
    const admit = async (name: string) =>
      (await people.admit({ subject: `https://login.example.com ${name}`, name, role: 'approver' })).id;
    const approve = async (id: string) => {
      const present = () => people.withId(id);
      const owner = parley.owner(FIRST_ACCOUNT.id, { person: await present(), present, approvers: people.approvers });
      const { seq: seen } = (await owner.view(SESSION)).head;
      const { phase, approvals } = await owner.approveContract(SESSION, {
        revision_id: 'r_1',
        content_hash: SAMPLE_HASH,
        seen,
      });
      return [
        phase,
        ...[approvals.given, approvals.lapsed ?? []].map((list) => list.map(({ person }) => person?.name)),
      ];
    };
    return { admit, approve, first: people.calls(FIRST_PERSON) };
  }

  test('the approval of somebody who is no longer an approver does not count', async () => {
    const { admit, approve, first } = await start();
    const [mallory, ben, cid] = [await admit('Mallory'), await admit('Ben'), await admit('Cid')];
    expect(await approve(mallory)).toEqual(['CONTRACT', ['Mallory'], []]);
    await first.revokePerson(mallory);
    expect(await approve(ben)).toEqual(['CONTRACT', ['Ben'], ['Mallory']]);
    expect(await approve(cid)).toEqual(['READINESS', ['Ben', 'Cid'], []]);
  });

  test('a key and a company account of one human give one approval', async () => {
    const { admit, approve, first } = await start();
    const [ada, ben] = [await admit('Ada'), await admit('Ben')];
    const { person } = await first.addPerson({ name: 'Ada with a key', role: 'approver', same_person_as: ada });
    expect(await approve(person.person_id)).toEqual(['CONTRACT', ['Ada with a key'], []]);
    expect(await approve(ada)).toEqual(['CONTRACT', ['Ada with a key'], []]);
    expect(await approve(ben)).toEqual(['READINESS', ['Ada with a key', 'Ben'], []]);
  });
});
