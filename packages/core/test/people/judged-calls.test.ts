import { describe, expect, test } from 'vitest';
import type { People, PeopleCalls } from '../../src/index.ts';
import { PEOPLE_METHODS } from '../../src/people/methods.ts';
import { open, refusal as refused } from './open-people.ts';

/** Returns `accepted`, or the code of the refusal. */
const refusal = async (call: Promise<unknown>) => String(await refused(call)).split(' ')[0];

const MALLORY = { subject: 'https://login.example.com 7', name: 'Mallory', role: 'approver' } as const;
/** The state in which each call below would be accepted, but for its caller. */
async function prepared() {
  const { calls: owner, ...scene } = open();
  const { people } = scene;
  const mallory = await people.admit(MALLORY);
  const calls = people.calls(mallory);
  const left = await people.admit({ ...MALLORY, subject: 'https://login.example.com 8', name: 'Left' });
  await owner.revokePerson(left.id);
  const { person: staying } = await owner.addPerson({ name: 'Staying', role: 'viewer' });
  return { ...scene, owner, mallory, calls, left: left.id, staying: staying.person_id };
}

/** Each call about people and accounts that an approver can make and that stores something. */
const STORING: Readonly<
  Record<string, (calls: PeopleCalls, ids: { readonly left: string; readonly staying: string }) => Promise<unknown>>
> = {
  addPerson: (calls) => calls.addPerson({ name: 'Friend', role: 'operator' }),
  setPersonRole: (calls, { staying }) => calls.setPersonRole(staying, { role: 'operator' }),
  revokePerson: (calls, { staying }) => calls.revokePerson(staying),
  readmitPerson: (calls, { left }) => calls.readmitPerson(left),
};
/** The calls for which the owner key is needed, which nobody can revoke. */
const WITH_OWNER_KEY = ['addAccount', 'changeAccount', 'closeAccount', 'reopenAccount'];

const eventsIn = async (people: People): Promise<number> => (await people.verifyLog()).events;

describe('a call that changes people', () => {
  test('is in the table of this test', () => {
    const storing = Object.entries(PEOPLE_METHODS).flatMap(([name, { method }]) => (method === 'POST' ? [name] : []));
    expect([...Object.keys(STORING), ...WITH_OWNER_KEY].toSorted()).toEqual(storing.toSorted());
  });

  test.each(Object.entries(STORING))(
    '%s is refused to a person who was revoked before its decision',
    async (_, call) => {
      const { people, owner, calls, mallory, ...ids } = await prepared();
      await owner.revokePerson(mallory.id);
      const before = await eventsIn(people);
      expect(await refusal(call(calls, ids))).toBe('UNAUTHORIZED');
      expect(await eventsIn(people)).toBe(before);
    },
  );

  test.each(Object.entries(STORING))(
    '%s is refused to a person who lost the role before its decision',
    async (_, call) => {
      const { people, calls, mallory, ...ids } = await prepared();
      await people.admit({ ...MALLORY, role: 'operator' });
      const before = await eventsIn(people);
      expect(mallory.role).toBe('approver');
      expect(await refusal(call(calls, ids))).toBe('ROLE_FORBIDDEN');
      expect(await eventsIn(people)).toBe(before);
    },
  );

  test.each(Object.entries(STORING))(
    '%s is refused to a person whose account was closed before its decision',
    async (_, call) => {
      const { people, owner, ...ids } = await prepared();
      const { account } = await owner.addAccount({ name: 'Team B' });
      const added = await owner.addPerson({ name: 'Bob', role: 'approver', account_id: account.account_id });
      const bob = await people.withKey(added.key);
      await owner.closeAccount(account.account_id);
      const before = await eventsIn(people);
      expect(await refusal(call(people.calls(bob), ids))).toBe('UNAUTHORIZED');
      expect(await eventsIn(people)).toBe(before);
    },
  );

  test('has the name that the person has when it is decided', async () => {
    const { calls, storage, mallory, staying } = await prepared();
    await calls.setPersonRole(staying, { role: 'operator' });
    const last = (await storage.fetch('people', 0))?.events.at(-1)?.body ?? '{}';
    expect(JSON.parse(last).person).toEqual({ id: mallory.id, name: 'Mallory' });
  });

  test.each([1, 2, 3, 4, 5])('readmits no person who floods it for himself while he is revoked, round %i', async () => {
    const { people, owner, mallory, storage } = await prepared();
    const there = open(storage.sibling());
    const flood = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? people : there.people).calls(mallory).readmitPerson(mallory.id),
    );
    const revoked = there.calls.revokePerson(mallory.id);
    const more = Array.from({ length: 40 }, () => people.calls(mallory).readmitPerson(mallory.id));
    const results = await Promise.allSettled([...flood, ...more]);
    await revoked;
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(await refusal(people.admit(MALLORY))).toBe('UNAUTHORIZED');
    const { revoked: list } = await owner.listPeople();
    expect(list.find(({ person_id }) => person_id === mallory.id)).toMatchObject({ readmitted: false });
  });
});

describe('a person whom an application passes and the log does not know', () => {
  test('makes the calls that the role allows', async () => {
    const { people } = open();
    const calls = people.calls({ id: 'theirs-7', name: 'Theirs', role: 'approver' });
    expect(await refusal(calls.addPerson({ name: 'Friend', role: 'operator' }))).toBe('accepted');
  });
});
