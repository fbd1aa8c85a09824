import { describe, expect, test } from 'vitest';
import { createParley, FIRST_PERSON, openPeople, type People, type Person, verifyLog } from '../../src/index.ts';
import { createTestClock, createTestRandom } from '../../src/testing/index.ts';
import { admittedPeople, makeKey, open, opened, refusal } from './open-people.ts';

const viewer: Person = { id: 'p_vvvvvvvvvv', name: 'Vera', role: 'viewer' };
const operator: Person = { id: 'p_oooooooooo', name: 'Olga', role: 'operator' };

const add = async (people: People, name: string, role = 'viewer') =>
  await people.calls(FIRST_PERSON).addPerson({ name, role });

describe('an approver', () => {
  test('can add people, but makes nobody an approver', async () => {
    const { people } = open();
    const { person } = await add(people, 'Ada', 'approver');
    const ada = people.calls({ id: person.person_id, name: 'Ada', role: 'approver' });
    const { person: bob } = await ada.addPerson({ name: 'Bob', role: 'operator' });
    const refused = 'ROLE_FORBIDDEN Only the holder of the owner key can make a person an approver.';
    expect(await refusal(ada.addPerson({ name: 'Cid', role: 'approver' }))).toBe(refused);
    expect(await refusal(ada.setPersonRole(bob.person_id, { role: 'approver' }))).toBe(refused);
    expect((await people.verifyLog()).events).toBe(2);
    expect(await refusal(people.calls(FIRST_PERSON).setPersonRole(bob.person_id, { role: 'approver' }))).toBe(
      'accepted',
    );
  });
});

describe('a person who is added', () => {
  test('has a key, which finds the person until it is revoked', async () => {
    const { people } = open();
    const { person, key } = await add(people, 'Ada', 'operator');
    expect(person).toEqual({
      person_id: expect.stringMatching(/^p_[0-9A-Za-z]{10}$/),
      name: 'Ada',
      role: 'operator',
      account_id: 'owner',
      key_prefix: key.slice(0, 10),
      subject: null,
      added_at: '2026-01-05T09:00:00.000Z',
      added_by: { id: 'owner', name: 'Owner' },
      last_used_at: null,
    });
    const ada = { id: person.person_id, name: 'Ada', role: 'operator', accountId: 'owner' };
    expect(await people.withKey(key)).toEqual(ada);
    expect(await people.withId(person.person_id)).toEqual(ada);
    expect(await people.withKey(`${key}x`)).toBeUndefined();
    expect(await people.calls(FIRST_PERSON).revokePerson(person.person_id)).toMatchObject({
      revoked: { name: 'Ada', revoked_by: { id: 'owner', name: 'Owner' } },
    });
    expect(await people.withKey(key)).toBeUndefined();
    expect(await people.withId(person.person_id)).toBeUndefined();
  });

  test('has a new role from the next request on', async () => {
    const { people, storage } = open();
    const other = open(storage.sibling()).people;
    const { person, key } = await add(people, 'Ada', 'viewer');
    expect(await other.withKey(key)).toMatchObject({ role: 'viewer' });
    await people.calls().setPersonRole(person.person_id, { role: 'approver' });
    expect(await other.withKey(key)).toMatchObject({ role: 'approver' });
  });

  test('is listed with the last use of the key in this process', async () => {
    const { people, clock } = open();
    const { key, person } = await add(people, 'Ada');
    clock.advance(5_000);
    await people.withKey(key);
    clock.advance(5_000);
    expect((await people.calls(viewer).listPeople()).people).toEqual([
      { ...person, last_used_at: '2026-01-05T09:00:05.000Z' },
    ]);
  });

  test('leaves no key in the storage', async () => {
    const { people, storage } = open();
    const { key } = await add(people, 'Ada');
    const tail = await storage.fetch('people', 0);
    const bodies = (tail?.events ?? []).map(({ body }) => body).join('\n');
    expect(bodies).toContain('"key_hash":');
    expect(bodies).not.toContain(key.slice(0, 11));
  });
});

describe('the log of people', () => {
  test('has one event for each change, with who made it', async () => {
    const { people, storage } = open();
    const ada = await add(people, 'Ada', 'approver');
    const by: Person = { id: ada.person.person_id, name: 'Ada', role: 'approver' };
    const bob = await people.calls(by).addPerson({ name: 'Bob', role: 'viewer' });
    await people.calls(by).setPersonRole(bob.person.person_id, { role: 'operator' });
    await people.calls(by).setPersonRole(bob.person.person_id, { role: 'operator' });
    await people.calls(FIRST_PERSON).revokePerson(bob.person.person_id);
    await people.calls(FIRST_PERSON).revokePerson(bob.person.person_id);
    const events = (await storage.fetch('people', 0))?.events.map(({ body }) => JSON.parse(body)) ?? [];
    expect(events.map(({ kind, actor, person, data }) => [kind, actor, person.name, data.name])).toEqual([
      ['person.added', 'owner', 'Owner', 'Ada'],
      ['person.added', 'owner', 'Ada', 'Bob'],
      ['person.role_changed', 'owner', 'Ada', 'Bob'],
      ['person.revoked', 'owner', 'Owner', 'Bob'],
    ]);
    expect(await people.verifyLog()).toMatchObject({ ok: true, events: 4 });
    const log = await storage.events('people', 1, 4);
    const edited = log.map((event, index) =>
      index === 1 ? { ...event, body: event.body.replace('Bob', 'Eve') } : event,
    );
    expect(await verifyLog(edited)).toMatchObject({ ok: false, fault: { seq: 2, reason: 'HASH_MISMATCH' } });
  });

  test('from before accounts has the people of the first account', async () => {
    const { people, storage } = open();
    const { key, person } = await add(people, 'Ada', 'approver');
    const stored =
      (await storage.fetch('people', 0))?.events.map(({ body }) => Object.keys(JSON.parse(body).data)) ?? [];
    expect(stored).toEqual([['person_id', 'name', 'role', 'key_hash', 'key_prefix']]);
    const { people: later } = open(storage.sibling());
    expect(await later.withKey(key)).toMatchObject({ id: person.person_id, accountId: 'owner' });
    expect((await later.calls().listAccounts()).accounts).toEqual([
      {
        account_id: 'owner',
        name: 'First account',
        people: 1,
        limits: { sessions: null, events: null, bytes: null },
        used: { sessions: 0, events: 0, bytes: 0 },
        added_at: null,
        added_by: null,
        closed_at: null,
        closed_by: null,
      },
    ]);
  });

  test('has one event for each change of an account, with who made it', async () => {
    const { people, storage } = open();
    const calls = people.calls(FIRST_PERSON);
    const { account } = await calls.addAccount({ name: ' Team B ' });
    await calls.addPerson({ name: 'Bea', role: 'viewer', account_id: account.account_id });
    await calls.changeAccount(account.account_id, { name: 'Team C' });
    await calls.closeAccount(account.account_id);
    await calls.reopenAccount(account.account_id);
    const events = (await storage.fetch('people', 0))?.events.map(({ body }) => JSON.parse(body)) ?? [];
    expect(account.account_id).toMatch(/^acc_[0-9A-Za-z]{10}$/);
    expect(events.map(({ kind, person, data }) => [kind, person.name, data.account_id, data.name])).toEqual([
      ['account.added', 'Owner', account.account_id, 'Team B'],
      ['person.added', 'Owner', account.account_id, 'Bea'],
      ['account.renamed', 'Owner', account.account_id, 'Team C'],
      ['account.closed', 'Owner', account.account_id, 'Team C'],
      ['account.reopened', 'Owner', account.account_id, 'Team C'],
    ]);
  });

  test('tells the limits of an account, and whether the account is closed', async () => {
    const { people } = open();
    const calls = people.calls(FIRST_PERSON);
    const { account } = await calls.addAccount({ name: 'Team B', limits: { events: 5 } });
    expect(await people.limitsOf(account.account_id)).toEqual({ events: 5, isClosed: false });
    await calls.closeAccount(account.account_id);
    expect(await people.limitsOf(account.account_id)).toEqual({ events: 5, isClosed: true });
    expect(await people.limitsOf('acc_xxxxxxxxxx')).toBeUndefined();
  });

  test('accepts simultaneous changes of two processes', async () => {
    const { people, storage } = open();
    const other = open(storage.sibling()).people;
    const names = Array.from({ length: 12 }, (_, index) => `Person ${index}`);
    const clockless = [
      openPeople({ storage, makeKey, random: createTestRandom(91) }),
      openPeople({ storage: storage.sibling(), makeKey, random: createTestRandom(92) }),
    ];
    await Promise.all(names.map((name, index) => add(clockless[index % 2] ?? people, name)));
    expect((await other.calls().listPeople()).people.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(await people.verifyLog()).toMatchObject({ ok: true, events: 12 });
  });

  test('accepts a name once when two processes add it at once', async () => {
    const { storage } = open();
    const both = [storage, storage.sibling()].map((one, index) =>
      openPeople({ storage: one, makeKey, random: createTestRandom(index + 70) }),
    );
    const results = await Promise.all(both.map((one) => refusal(add(one, 'Ada'))));
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
    expect(String(results.find((result) => result !== 'accepted'))).toMatch(
      /^INVALID_INPUT name: A person who can sign in has this name already \(p_\w{10}\), or one that looks the same\. Choose another name\.$/,
    );
  });

  test('is no session of any owner', async () => {
    const { people, storage } = open();
    await add(people, 'Ada');
    const parley = await createParley({ storage });
    for (const ownerId of ['owner', 'people', 'parley', '']) {
      const owner = parley.owner(ownerId);
      expect((await owner.listSessions()).sessions).toEqual([]);
      const calls = [
        owner.call('view', 'people'),
        owner.call('pause', 'people', { reason: 'x' }),
        owner.verifyLog('people'),
        owner.deleteSession('people'),
        owner.exportLog('people')[Symbol.asyncIterator]().next(),
        owner.watch('people')[Symbol.asyncIterator]().next(),
      ];
      const unknown = 'UNKNOWN_RECORD You have no session with this id.';
      expect(await Promise.all(calls.map(refusal))).toEqual(calls.map(() => unknown));
    }
    expect(() => parley.owner('parley:people')).toThrow('The owner id parley:people is reserved.');
    expect(await people.verifyLog()).toMatchObject({ ok: true, events: 1 });
  });
});

describe('a call about people', () => {
  test.each([
    ['viewer', viewer, 'your role is viewer'],
    ['operator', operator, 'your role is operator'],
  ])('is refused to a %s, who may only list', async (_role, person, said) => {
    const { people, storage } = open();
    const { person: ada } = await add(people, 'Ada');
    const calls = people.calls(person);
    expect((await calls.listPeople()).people.map(({ name }) => name)).toEqual(['Ada']);
    expect(await refusal(calls.addPerson({ name: 'Bob', role: 'viewer' }))).toBe(
      `ROLE_FORBIDDEN addPerson needs the role approver; ${said}.`,
    );
    expect(await refusal(calls.setPersonRole(ada.person_id, { role: 'approver' }))).toBe(
      `ROLE_FORBIDDEN setPersonRole needs the role approver; ${said}.`,
    );
    expect(await refusal(calls.revokePerson(ada.person_id))).toBe(
      `ROLE_FORBIDDEN revokePerson needs the role approver; ${said}.`,
    );
    expect((await storage.fetch('people', 0))?.head.seq).toBe(1);
  });

  test.each([
    ['', 'INVALID_INPUT name: Must not be empty'],
    [' \t ', 'INVALID_INPUT name: Must not be empty'],
    ['a\nb', 'INVALID_INPUT name: Must not contain an invisible, blank or private character.'],
    ['a\u0000b', 'INVALID_JSON The JSON is refused: name holds the character U+0000.'],
    ['\u200b', 'INVALID_INPUT name: Must contain a letter, a digit or a symbol'],
    ['Ivаn', 'INVALID_INPUT name: Must not mix scripts in one word.'],
    ['x'.repeat(201), 'INVALID_INPUT name: Must have at most 200 characters'],
    [`Ada pok_${'a'.repeat(43)}`, 'INVALID_INPUT name: Must not contain a key or a token'],
    [7, 'INVALID_INPUT name'],
    ['Owner', 'INVALID_INPUT name: Parley itself uses this name. Choose another name.'],
    [' rEtention ', 'INVALID_INPUT name: Parley itself uses this name. Choose another name.'],
    ['Parley', 'INVALID_INPUT name: Parley itself uses this name. Choose another name.'],
    ['Agent A', 'INVALID_INPUT name: Parley itself uses this name. Choose another name.'],
    ['the\u00a0application', 'INVALID_INPUT name: Parley itself uses this name. Choose another name.'],
    ['Ąda Løvelace', 'INVALID_INPUT name: A person who can sign in has this name already'],
    ['Аԁа Lovelace', 'INVALID_INPUT name: A person who can sign in has this name already'],
  ])('refuses the name %j', async (name, said) => {
    const { people, storage } = open();
    await add(people, 'Ada Lovelace');
    const result = await refusal(people.calls().addPerson({ name, role: 'viewer' }));
    expect(String(result)).toContain(said);
    expect((await storage.fetch('people', 0))?.head.seq).toBe(1);
  });

  test.each(['Ḿáṱ', 'Zoë', '艾达', '👩🏽‍💻 Ada', "O'Brien <b>&", 'x'.repeat(200)])(
    'accepts the name %j',
    async (name) => {
      const { people } = open();
      expect((await add(people, ` ${name.length === 200 ? name.slice(1) : name}`)).person.name.length).toBeGreaterThan(
        1,
      );
    },
  );

  test('accepts the name of a revoked person', async () => {
    const { people } = open();
    const { person } = await add(people, 'Ada');
    await people.calls().revokePerson(person.person_id);
    await add(people, 'Ada');
    const listed = await people.calls().listPeople();
    expect([listed.people.length, listed.revoked.map(({ person_id }) => person_id)]).toEqual([1, [person.person_id]]);
  });

  test('is refused for an unknown person, for a revoked person and for the holder of the owner key', async () => {
    const { people } = open();
    const { person } = await add(people, 'Ada');
    await people.calls().revokePerson(person.person_id);
    const none = 'UNKNOWN_RECORD No person who can sign in has this id.';
    expect(await refusal(people.calls().revokePerson('p_xxxxxxxxxx'))).toBe(none);
    expect(await refusal(people.calls().setPersonRole(person.person_id, { role: 'viewer' }))).toBe(none);
    expect(await refusal(people.calls().revokePerson('owner'))).toBe(
      'UNKNOWN_RECORD The holder of the owner key is always an approver. No call changes that role or revokes the owner key.',
    );
  });

  test('of the approvers of an account is refused after 5,000 changes of people, except that they revoke', async () => {
    const { people } = open();
    const { account } = await people.calls().addAccount({ name: 'Team B' });
    const { account_id } = account;
    const { person } = await people.calls().addPerson({ name: 'Ada', role: 'approver', account_id });
    const ada = people.calls({ id: person.person_id, name: 'Ada', role: 'approver' });
    const { person: bob } = await ada.addPerson({ name: 'Bob', role: 'viewer' });
    for (let count = 1; count < 5_000; count += 1)
      await ada.setPersonRole(bob.person_id, { role: count % 2 === 1 ? 'operator' : 'viewer' });
    const full =
      'LIMIT_EXCEEDED The approvers of this account have changed people 5000 times, which is the limit. They can still revoke people; the holder of the owner key can change people.';
    expect(await refusal(ada.setPersonRole(bob.person_id, { role: 'viewer' }))).toBe(full);
    expect(await refusal(ada.addPerson({ name: 'Cid', role: 'viewer' }))).toBe(full);
    expect((await people.verifyLog()).events).toBe(5_002);
    await ada.revokePerson(bob.person_id);
    const { person: cid } = await people.calls(FIRST_PERSON).addPerson({ name: 'Cid', role: 'viewer', account_id });
    expect(await refusal(ada.setPersonRole(cid.person_id, { role: 'viewer' }))).toBe('accepted');
    await add(people, 'Dora', 'approver');
    expect((await people.calls().listPeople()).people.map(({ name }) => name)).toEqual(['Ada', 'Cid', 'Dora']);
  });

  test('adds at most 500 people', async () => {
    const { people } = await opened(admittedPeople(500));
    expect(await refusal(add(people, 'One more'))).toBe(
      'LIMIT_EXCEEDED At most 500 people of an account can sign in. Revoke a person first.',
    );
  });
});

describe('a watch of a person', () => {
  test('ends at once if this process revokes the person', async () => {
    const { people } = open();
    const [ada, bob] = [await add(people, 'Ada'), await add(people, 'Bob')];
    const [one, other] = [people.watch(ada.person.person_id), people.watch(bob.person.person_id)];
    await people.calls().revokePerson(ada.person.person_id);
    expect([one.ended.aborted, other.ended.aborted]).toEqual([true, false]);
  });

  test('ends when the hint of another process arrives', async () => {
    const { people, storage } = open();
    const { person } = await add(people, 'Ada');
    const { ended } = people.watch(person.person_id);
    await open(storage.sibling()).people.calls().revokePerson(person.person_id);
    await new Promise((resolve) => ended.addEventListener('abort', resolve));
    expect(ended.aborted).toBe(true);
  });

  test('ends within three seconds without a hint', async () => {
    const { storage } = open();
    const clock = createTestClock();
    const people = openPeople({
      storage: { ...storage, onHint: () => () => undefined },
      makeKey,
      random: createTestRandom(),
      clock,
    });
    const { person } = await add(people, 'Ada');
    const { ended } = people.watch(person.person_id);
    await open(storage.sibling()).people.calls().revokePerson(person.person_id);
    clock.advance(2_999);
    expect(ended.aborted).toBe(false);
    const aborted = new Promise((resolve) => ended.addEventListener('abort', resolve));
    clock.advance(1);
    await aborted;
  });

  test('leaves no timer after its release', async () => {
    const { people, clock } = open();
    const { person } = await add(people, 'Ada');
    people.watch(person.person_id).release();
    clock.advance(3_000);
    expect(clock.pending()).toBe(0);
  });
});
