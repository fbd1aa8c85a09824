import { expect, onTestFinished, test } from 'vitest';
import { domain } from '../../../src/areas/domain.ts';
import { createMemoryStorage, createParley, FIRST_PERSON, openPeople } from '../../../src/index.ts';
import { FIRST_ACCOUNT } from '../../../src/kernel/person.ts';
import { createExactly, prepareEvents } from '../../../src/kernel/session/append.ts';
import { openPeopleLog } from '../../../src/people/rules.ts';
import type { PeopleDraft } from '../../../src/people/state.ts';
import { createTestClock, createTestRandom } from '../../../src/testing/index.ts';
import { openingEvents } from '../../../src/testing/opening-events.ts';
import { SAMPLE_HASH } from '../../contract/sample-contract.ts';
import { makeKey } from '../../people/open-people.ts';
import { certified } from '../../story.ts';

const SESSION = 'SessionWithTwoApprovers';
const exact = { revision_id: 'r_1', content_hash: SAMPLE_HASH };
const company = (sub: number, name: string) =>
  ({ subject: `https://login.example.com ${sub}`, name, role: 'approver' }) as const;

/** A service with a certified contract that needs two approvers, and people with company accounts. */
async function open() {
  const [storage, clock] = [createMemoryStorage(), createTestClock()];
  const people = openPeople({ storage, makeKey, random: createTestRandom(7), clock });
  const parley = await createParley({ storage, clock });
  onTestFinished(() => parley.close());
  let state = domain.empty(SESSION);
  const all = [];
  const opening = openingEvents({ session: { required_approvals: 2 } }).map((event) =>
    event.kind === 'session.created' ? { ...event, data: { ...event.data, owner_id: FIRST_ACCOUNT.id } } : event,
  );
  for (const event of [...opening, ...certified]) {
    const prepared = prepareEvents(domain, state, [event], clock.now());
    state = prepared.state;
    all.push(prepared);
  }
  const whole = {
    state,
    events: all.flatMap(({ events }) => events),
    stored: all.flatMap(({ stored }) => stored),
    documents: all.flatMap(({ documents }) => documents),
  };
  await createExactly({ storage, clock, domain }, whole, null);
  const ownerFor = async (id: string) => {
    const present = () => people.withId(id);
    return parley.owner(state.ownerId, { person: await present(), present, approvers: () => people.approvers() });
  };
  const seen = async () => ({ ...exact, seen: (await parley.owner(state.ownerId).view(SESSION)).head.seq });
  const approve = async (id: string) => await (await ownerFor(id)).approveContract(SESSION, await seen());
  /** Appends to the log of people as an earlier version did. */
  const appendPeople = async (...events: readonly PeopleDraft[]) =>
    await openPeopleLog({ storage, clock, random: createTestRandom(1), onState: () => undefined }).change(
      async () => undefined,
      () => events,
    );
  const { leftBehind } = parley.owner(state.ownerId, { person: FIRST_PERSON });
  const first = people.calls(FIRST_PERSON, undefined, leftBehind);
  return { people, parley, appendPeople, first, ownerFor, approve, seen };
}

const namesIn = (list: readonly { readonly person: { readonly name: string } | null }[] = []) =>
  list.map(({ person }) => person?.name);

test('an approval does not count once its person is revoked, and the views say so', async () => {
  const { people, first, approve, ownerFor } = await open();
  const [mallory, ben, cid] = [
    await people.admit(company(1, 'Mallory')),
    await people.admit(company(2, 'Ben')),
    await people.admit(company(3, 'Cid')),
  ];
  expect((await approve(mallory.id)).phase).toBe('CONTRACT');
  await first.revokePerson(mallory.id);
  const second = await approve(ben.id);
  expect(second.phase).toBe('CONTRACT');
  expect([namesIn(second.approvals.given), namesIn(second.approvals.lapsed)]).toEqual([['Ben'], ['Mallory']]);
  const view = await (await ownerFor(cid.id)).view(SESSION);
  expect(view.waits[0]?.text).toContain(
    'Ben approved; another approver must approve too. The approval of Mallory does not count any more.',
  );
  const brief = await (await ownerFor(cid.id)).brief(SESSION, { stage: 'approval' });
  expect([namesIn(brief.approvals.given), namesIn(brief.approvals.lapsed)]).toEqual([['Ben'], ['Mallory']]);
  expect((await approve(cid.id)).phase).toBe('READINESS');
});

test('the answer of a revocation names the approvals that do not count any more', async () => {
  const { people, first, approve } = await open();
  const [mallory, ben, cid] = [
    await people.admit(company(1, 'Mallory')),
    await people.admit(company(2, 'Ben')),
    await people.admit(company(3, 'Cid')),
  ];
  await approve(mallory.id);
  const lapsed = [{ session_id: SESSION, title: 'Orders and stock', stage: 'approval' }];
  expect((await first.revokePerson(mallory.id)).left?.approvals).toEqual(lapsed);
  expect((await first.revokePerson(ben.id)).left?.approvals).toEqual([]);
  await approve(cid.id);
  const dee = await people.admit(company(4, 'Dee'));
  expect((await approve(dee.id)).phase).toBe('READINESS');
  expect((await first.revokePerson(mallory.id)).left?.approvals).toEqual([]);
  expect((await first.revokePerson(cid.id)).left?.approvals).toEqual([]);
});

test('an approval does not count while its person is not an approver', async () => {
  const { people, approve } = await open();
  const [ada, ben] = [await people.admit(company(1, 'Ada')), await people.admit(company(2, 'Ben'))];
  await approve(ada.id);
  await people.admit({ ...company(1, 'Ada'), role: 'viewer' });
  expect((await approve(ben.id)).phase).toBe('CONTRACT');
  await people.admit(company(1, 'Ada'));
  expect((await approve(ada.id)).phase).toBe('READINESS');
});

test('the answer and the views name the two whose approvals counted, not the two who approved last', async () => {
  const { people, approve, ownerFor } = await open();
  const [ada, ben, cid] = [
    await people.admit(company(1, 'Ada')),
    await people.admit(company(2, 'Ben')),
    await people.admit(company(3, 'Cid')),
  ];
  await approve(ada.id);
  await people.admit({ ...company(1, 'Ada'), role: 'viewer' });
  await approve(ben.id);
  await people.admit({ ...company(2, 'Ben'), role: 'viewer' });
  await people.admit(company(1, 'Ada'));
  const { phase, approvals } = await approve(cid.id);
  expect([phase, namesIn(approvals.given), approvals.lapsed]).toEqual(['READINESS', ['Ada', 'Cid'], undefined]);
  const { approvals: shown } = await (await ownerFor(cid.id)).view(SESSION);
  expect(shown.map(({ given }) => namesIn(given))).toEqual([['Ada', 'Cid']]);
});

test('the note for the owner names three whose approvals do not count, and how many more there are', async () => {
  const { people, approve, ownerFor } = await open();
  for (let number = 1; number <= 25; number += 1) {
    const one = await people.admit(company(number, `Person ${number}`));
    await approve(one.id);
    await people.admit({ ...company(number, `Person ${number}`), role: 'viewer' });
  }
  const { id } = await people.admit(company(99, 'Zoe'));
  const { waits, approvals } = await (await ownerFor(id)).view(SESSION);
  expect(waits[0]?.text).toContain(
    'This step needs 2 approvers. The approvals of Person 25, Person 24, Person 23 and 22 more do not count any more.',
  );
  expect(namesIn(approvals[0]?.lapsed)).toEqual(Array.from({ length: 20 }, (_, index) => `Person ${index + 6}`));
});

test('a person who was readmitted under another id is not the second approver', async () => {
  const { people, first, approve } = await open();
  const mallory = await people.admit(company(1, 'Mallory'));
  await approve(mallory.id);
  await first.revokePerson(mallory.id);
  await first.readmitPerson(mallory.id);
  const again = await people.admit(company(1, 'Mallory'));
  expect((await approve(again.id)).phase).toBe('CONTRACT');
  expect((await approve(again.id)).phase).toBe('CONTRACT');
  const { id } = await people.admit(company(2, 'Ben'));
  expect((await approve(id)).phase).toBe('READINESS');
});

test('the lists of sessions and the notices say whose approval does not count any more', async () => {
  const { people, first, approve, ownerFor } = await open();
  const [mallory, ben] = [await people.admit(company(1, 'Mallory')), await people.admit(company(2, 'Ben'))];
  await approve(mallory.id);
  await first.revokePerson(mallory.id);
  const owner = await ownerFor(ben.id);
  const said = 'This step needs 2 approvers. The approval of Mallory does not count any more.';
  const { sessions: all } = await owner.overview();
  const { sessions: waiting } = await owner.inbox();
  expect([all, waiting].map(([session]) => session?.waits[0]?.text)).toEqual(
    Array(2).fill(expect.stringContaining(said)),
  );
  const [notice] = await owner.dueNotices(SESSION);
  expect(notice?.text).toContain(said);
});

test('two spellings of one user, whom an earlier version admitted as two people, give one approval', async () => {
  const { people, appendPeople, approve } = await open();
  const admitted = (person_id: string, name: string) =>
    ({
      kind: 'person.admitted',
      data: { person_id, name, subject: `proxy ${name}`, role: 'approver' },
    }) as const;
  await appendPeople(admitted('p_1', 'mallory'));
  expect((await approve('p_1')).phase).toBe('CONTRACT');
  await appendPeople(admitted('p_2', 'Mallory'));
  const second = await approve('p_2');
  expect([second.phase, namesIn(second.approvals.given), namesIn(second.approvals.lapsed)]).toEqual([
    'CONTRACT',
    ['Mallory'],
    ['mallory'],
  ]);
  const { id } = await people.admit(company(2, 'Ben'));
  expect((await approve(id)).phase).toBe('READINESS');
});

test('the approval of the owner key, and of a person whom the log does not know, counts', async () => {
  const { people, parley, approve, seen } = await open();
  const theirs = { id: 'theirs-7', name: 'Theirs', role: 'approver' } as const;
  await parley.owner(FIRST_ACCOUNT.id, { person: theirs }).approveContract(SESSION, await seen());
  const { id } = await people.admit(company(2, 'Ben'));
  const { phase, approvals } = await approve(id);
  expect([phase, approvals.lapsed]).toEqual(['READINESS', undefined]);
});

test('a key and a company account of one human give one approval, whichever comes first', async () => {
  for (const keyFirst of [true, false]) {
    const { people, first, approve } = await open();
    const [ada, ben] = [await people.admit(company(1, 'Ada')), await people.admit(company(2, 'Ben'))];
    const add = { name: 'Ada with a key', role: 'approver', same_person_as: ada.id };
    const { person } = await first.addPerson(add);
    expect(person.same_person_as).toBe(ada.id);
    const ids = keyFirst ? [person.person_id, ada.id] : [ada.id, person.person_id];
    const names = [keyFirst ? 'Ada with a key' : 'Ada'];
    for (const id of ids) {
      const { phase, approvals } = await approve(id);
      expect([phase, namesIn(approvals.given), approvals.lapsed]).toEqual(['CONTRACT', names, undefined]);
    }
    expect((await approve(ben.id)).phase).toBe('READINESS');
  }
});

test('the approvals of one human count once over an id that ended and a second key', async () => {
  const { people, first, approve } = await open();
  const [ada, ben] = [await people.admit(company(1, 'Ada')), await people.admit(company(2, 'Ben'))];
  const key = async (name: string, same_person_as: string) =>
    (await first.addPerson({ name, role: 'approver', same_person_as })).person.person_id;
  const second = await key('Ada with a key', ada.id);
  const third = await key('Ada with a third key', second);
  await people.dismiss(company(1, 'Ada').subject);
  const again = await people.admit(company(1, 'Ada'));
  for (const id of [third, again.id, second]) expect((await approve(id)).phase).toBe('CONTRACT');
  expect((await approve(ben.id)).phase).toBe('READINESS');
});

test('two approvals of one human that are both stored count once', async () => {
  const { people, first, approve, ownerFor } = await open();
  const [ada, ben] = [await people.admit(company(1, 'Ada')), await people.admit(company(2, 'Ben'))];
  const { person } = await first.addPerson({ name: 'Ada with a key', role: 'approver', same_person_as: ada.id });
  await approve(ada.id);
  await people.admit({ ...company(1, 'Ada'), role: 'viewer' });
  expect((await approve(person.person_id)).phase).toBe('CONTRACT');
  await people.admit(company(1, 'Ada'));
  const view = await (await ownerFor(ada.id)).view(SESSION);
  expect(view.approvals.map(({ given }) => namesIn(given))).toEqual([['Ada with a key']]);
  expect((await approve(ada.id)).phase).toBe('CONTRACT');
  expect((await approve(ben.id)).phase).toBe('READINESS');
});

test('the holder of the owner key and a key of the same human give one approval', async () => {
  const { people, parley, first, approve, seen } = await open();
  const { person } = await first.addPerson({ name: 'Own key', role: 'approver', same_person_as: FIRST_PERSON.id });
  expect((await approve(person.person_id)).phase).toBe('CONTRACT');
  const owner = parley.owner(FIRST_ACCOUNT.id, { person: FIRST_PERSON, approvers: () => people.approvers() });
  expect((await owner.approveContract(SESSION, await seen())).phase).toBe('CONTRACT');
});

test('nobody is added as the same person as somebody who may not sign in for the account', async () => {
  const { people, first } = await open();
  const ada = await people.admit(company(1, 'Ada'));
  const { account } = await first.addAccount({ name: 'Team B' });
  const other = await first.addPerson({ name: 'Bob', role: 'viewer', account_id: account.account_id });
  await first.revokePerson(ada.id);
  for (const same_person_as of [ada.id, other.person.person_id, 'p_nobody0000'])
    await expect(first.addPerson({ name: 'Eve', role: 'viewer', same_person_as })).rejects.toMatchObject({
      code: 'UNKNOWN_RECORD',
    });
});
