import { describe, expect, test } from 'vitest';
import { createMemoryStorage, type MemoryStorage, openPeople } from '../../src/index.ts';
import { createTestRandom } from '../../src/testing/index.ts';
import { admittedPeople, makeKey, open, opened, refusal } from './open-people.ts';

const eventsOf = async (storage: MemoryStorage) =>
  ((await storage.fetch('people', 0))?.events ?? []).map(({ body }) => JSON.parse(body));

const ADA = { subject: 'https://login.example.com 7', name: 'Ada Lovelace', role: 'operator' } as const;

describe('admit', () => {
  test('stores a person at the first sign-in, and finds the same person at the next', async () => {
    const { people, storage } = open();
    const ada = await people.admit(ADA);
    expect(ada).toEqual({
      id: expect.stringMatching(/^p_\w{10}$/),
      name: 'Ada Lovelace',
      role: 'operator',
      accountId: 'owner',
      subject: 'https://login.example.com 7',
    });
    expect(await people.admit({ ...ADA, name: 'Ada King' })).toEqual(ada);
    expect(await people.withId(ada.id)).toEqual(ada);
    expect(await open(storage.sibling()).people.admit(ADA)).toEqual(ada);
    const events = await eventsOf(storage);
    expect(events.map(({ kind, actor, person, data }) => [kind, actor, person, data])).toEqual([
      [
        'person.admitted',
        'owner',
        undefined,
        { person_id: ada.id, name: 'Ada Lovelace', role: 'operator', subject: 'https://login.example.com 7' },
      ],
    ]);
    expect(await people.verifyLog()).toMatchObject({ ok: true, events: 1 });
  });

  test('stores another role, which each process then finds', async () => {
    const { people, storage } = open();
    const other = open(storage.sibling()).people;
    const { id } = await people.admit(ADA);
    expect(await other.admit({ ...ADA, role: 'approver' })).toMatchObject({ id, role: 'approver' });
    expect(await people.withId(id)).toMatchObject({ role: 'approver' });
    expect((await eventsOf(storage)).slice(1).map(({ kind, data }) => [kind, data])).toEqual([
      ['person.role_changed', { person_id: id, name: 'Ada Lovelace', role: 'approver' }],
    ]);
  });

  test('stores one person when two processes admit the same account at once', async () => {
    const { people, storage } = open();
    const others = [storage, storage.sibling(), storage.sibling()].map((one, index) =>
      openPeople({ storage: one, makeKey, random: createTestRandom(71 + index) }),
    );
    const ids = (await Promise.all(others.map((one) => one.admit(ADA)))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(await people.verifyLog()).toMatchObject({ ok: true, events: 1 });
  });

  test('keeps two accounts apart, with a number behind a name that is taken', async () => {
    const { people, calls } = open();
    await calls.addPerson({ name: 'ADA lovelace', role: 'viewer' });
    const [one, two, three] = [
      await people.admit(ADA),
      await people.admit({ ...ADA, subject: 'https://login.example.com 8' }),
      await people.admit({ ...ADA, subject: 'proxy ada', name: 'Owner' }),
    ];
    expect([one.name, two.name, three.name]).toEqual(['Ada Lovelace (2)', 'Ada Lovelace (3)', `Person ${three.id}`]);
    expect(new Set([one.id, two.id, three.id]).size).toBe(3);
    expect(await refusal(calls.addPerson({ name: 'Ada Lovelace (3)', role: 'viewer' }))).toMatch(
      /^INVALID_INPUT name: A person who can sign in has this name already/,
    );
  });

  test.each([
    ['a\nb\u202e  c', 'a b c'],
    [' \u0000 ', /^Person p_\w{10}$/],
    ['', /^Person p_\w{10}$/],
    ['\u200b', /^Person p_\w{10}$/],
    [`pok_${'a'.repeat(43)}`, /^Person p_\w{10}$/],
    ['a\ud800b', 'ab'],
    ['x'.repeat(5_000), 'x'.repeat(190)],
    [`${'x'.repeat(189)}👩`, 'x'.repeat(189)],
    ['艾达', '艾达'],
    ['Ada\u3164\u2800 \ue000Love\u034flace\ufe0f', 'Ada Lovelace'],
    ['You', /^Person p_\w{10}$/],
    ['Ow\u115fner', /^Person p_\w{10}$/],
    ['agent_a', /^Person p_\w{10}$/],
    ['Оwner', /^Person p_\w{10}$/],
    ['Ivаn', /^Person p_\w{10}$/],
    ['Owner (2)', /^Person p_\w{10}$/],
    ['Zoë', 'Zoë'],
  ])('converts the name %j to a name that can be stored', async (name, stored) => {
    const { people, storage } = open();
    const person = await people.admit({ ...ADA, name });
    if (typeof stored === 'string') expect(person.name).toBe(stored);
    else expect(person.name).toMatch(stored);
    expect((await eventsOf(storage))[0].data.name).toBe(person.name);
  });

  test.each(['', 'a\nb', 'a\u0000b', 'a\ud800', 'x'.repeat(1_001)])('refuses the subject %j', async (subject) => {
    const { people, storage } = open();
    expect(await refusal(people.admit({ ...ADA, subject }))).toMatch(/^INVALID_INPUT The id of the company account/);
    expect(await storage.fetch('people', 0)).toBeNull();
  });

  test.each(['__proto__', 'constructor', 'toString'])('treats the subject %j as plain text', async (subject) => {
    const { people } = open();
    expect(await people.admit({ ...ADA, subject })).toMatchObject({ subject, name: 'Ada Lovelace' });
  });

  test('admits at most 500 people, and then only people who are known already', async () => {
    const { people, storage } = await opened(admittedPeople(500));
    expect(await refusal(people.admit(ADA))).toBe(
      'LIMIT_EXCEEDED At most 500 people of an account can sign in. Revoke a person first.',
    );
    expect(await people.admit({ ...ADA, subject: 'proxy 7' })).toMatchObject({ name: 'Person 7' });
    expect((await storage.fetch('people', 0))?.head.seq).toBe(500);
  });
});

describe('a user whom a proxy names', () => {
  test('is one person in each spelling', async () => {
    const { people, storage } = open();
    const { id } = await people.admit({ ...ADA, subject: 'proxy José' });
    for (const user of ['proxy JOSÉ', 'proxy jose\u0301', 'proxy JOSE\u0301'])
      expect(await people.admit({ ...ADA, subject: user })).toMatchObject({ id, subject: 'proxy josé' });
    expect((await storage.fetch('people', 0))?.head.seq).toBe(1);
  });

  test('differs from a user of an OpenID provider, whose id is compared as it is', async () => {
    const { people } = open();
    const ids = ['https://login.example.com a', 'https://login.example.com A', 'proxy a'].map(
      async (subject) => (await people.admit({ ...ADA, subject })).id,
    );
    expect(new Set(await Promise.all(ids)).size).toBe(3);
  });

  test.each(['ada\u3164', 'a\u200bda', 'ａda', 'ada\ue000', 'ª'])('is not admitted as %j', async (user) => {
    const { people, storage } = open();
    expect(await refusal(people.admit({ ...ADA, subject: `proxy ${user}` }))).toMatch(
      /^INVALID_INPUT The id of the company account cannot be stored: it must not contain invisible or special characters/,
    );
    expect(await storage.fetch('people', 0)).toBeNull();
  });
});

describe('people whom an earlier version admitted', () => {
  const admitted = (person_id: string, name: string, subject: string) =>
    ({ kind: 'person.admitted', data: { person_id, name, subject, role: 'approver' } }) as const;

  test('are one person if their users differ only in spelling', async () => {
    const { people, calls } = await opened([
      admitted('p_1', 'mallory', 'proxy mallory'),
      admitted('p_2', 'Mallory', 'proxy Mallory'),
    ]);
    for (const subject of ['proxy mallory', 'proxy Mallory'])
      expect(await people.admit({ ...ADA, role: 'approver', subject })).toMatchObject({ id: 'p_2' });
    expect(await people.withId('p_1')).toBeUndefined();
    expect(await calls.listPeople()).toMatchObject({
      people: [{ person_id: 'p_2' }],
      revoked: [{ person_id: 'p_1', readmitted: true, revoked_by: null }],
    });
  });

  test('go on signing in under a name that is refused today, and are shown by a name that can be read', async () => {
    const { people } = await opened([
      admitted('p_1', 'Owner\u3164', 'proxy owner\u3164'),
      admitted('p_2', 'Ada\u2800Lovelace', 'proxy ａda'),
      admitted('p_3', 'Ivаn', 'proxy ivan'),
    ]);
    const names = ['proxy owner\u3164', 'proxy ａda', 'proxy ivan'].map(
      async (subject) => (await people.admit({ ...ADA, role: 'approver', subject })).name,
    );
    expect(await Promise.all(names)).toEqual(['Person p_1', 'AdaLovelace', 'Ivаn']);
    expect((await people.verifyLog()).events).toBe(3);
  });
});

describe('a company account whose groups change', () => {
  const CHANGES = 200;

  /** Signs in until the groups have changed the role as often as they can. The person is then a viewer. */
  async function changed() {
    const opened = open();
    const { people } = opened;
    for (let count = 0; count < CHANGES; count += 1)
      await people.admit({ ...ADA, role: count % 2 === 0 ? 'operator' : 'viewer' });
    return opened;
  }

  test('is raised at most 200 times, and is always lowered', async () => {
    const { people, storage } = await changed();
    for (let count = 0; count < 5; count += 1)
      expect(await people.admit({ ...ADA, role: 'approver' })).toMatchObject({ role: 'viewer' });
    expect((await storage.fetch('people', 0))?.head.seq).toBe(CHANGES);
    const other = await people.admit({ ...ADA, subject: 'https://login.example.com 8', role: 'operator' });
    expect(other.role).toBe('operator');
  });

  test('is not admitted again after that, until an approver readmits it', async () => {
    const { people, storage, calls } = await changed();
    const { id } = await people.admit({ ...ADA, role: 'viewer' });
    await people.dismiss(ADA.subject);
    const refused = `LIMIT_EXCEEDED The groups of your company account have changed your rights 200 times, which is the limit. An approver can readmit you: parley people readmit ${id}.`;
    for (let count = 0; count < 5; count += 1) expect(await refusal(people.admit(ADA))).toBe(refused);
    expect((await storage.fetch('people', 0))?.head.seq).toBe(CHANGES + 2);
    await calls.readmitPerson(id);
    await calls.readmitPerson(id);
    expect((await storage.fetch('people', 0))?.head.seq).toBe(CHANGES + 3);
    const again = await people.admit({ ...ADA, role: 'viewer' });
    expect(await people.admit({ ...ADA, role: 'operator' })).toMatchObject({ id: again.id, role: 'operator' });
  });

  test('does not lose a lower role to the limit', async () => {
    const { people } = open();
    for (let count = 0; count < CHANGES; count += 1)
      await people.admit({ ...ADA, role: count % 2 === 0 ? 'operator' : 'approver' });
    expect(await people.admit({ ...ADA, role: 'viewer' })).toMatchObject({ role: 'viewer' });
    expect(await people.admit({ ...ADA, role: 'operator' })).toMatchObject({ role: 'viewer' });
  });
});

describe('a revoked person', () => {
  test('is refused at each sign-in, and every stream of the person ends', async () => {
    const { people, storage, calls } = open();
    const { id } = await people.admit(ADA);
    const { ended } = people.watch(id);
    await calls.revokePerson(id);
    expect(ended.aborted).toBe(true);
    expect(await people.withId(id)).toBeUndefined();
    const refused = `UNAUTHORIZED You (${id}) were revoked, so your company account cannot sign in. An approver can readmit you: parley people readmit ${id}.`;
    expect(await refusal(people.admit(ADA))).toBe(refused);
    expect(await refusal(open(storage.sibling()).people.admit({ ...ADA, role: 'approver' }))).toBe(refused);
    expect(await people.verifyLog()).toMatchObject({ ok: true, events: 2 });
  });

  test('comes back as a new person after being readmitted, and the old id stays revoked', async () => {
    const { people, calls, storage } = open();
    const { id } = await people.admit(ADA);
    await calls.revokePerson(id);
    expect(await calls.readmitPerson(id)).toMatchObject({ revoked: { person_id: id, readmitted: true } });
    await calls.readmitPerson(id);
    const again = await people.admit({ ...ADA, role: 'viewer' });
    expect(again).toMatchObject({ name: 'Ada Lovelace', role: 'viewer' });
    expect(again.id).not.toBe(id);
    expect(await people.withId(id)).toBeUndefined();
    await calls.revokePerson(again.id);
    expect(await refusal(people.admit(ADA))).toContain(`You (${again.id}) were revoked`);
    expect((await eventsOf(storage)).map(({ kind }) => kind)).toEqual([
      'person.admitted',
      'person.revoked',
      'person.readmitted',
      'person.admitted',
      'person.revoked',
    ]);
  });

  test('is readmitted by an approver only, once revoked, and not with a key', async () => {
    const { people, calls, storage } = open();
    const { id } = await people.admit(ADA);
    const { person } = await calls.addPerson({ name: 'Bob', role: 'viewer' });
    await calls.revokePerson(person.person_id);
    const none = 'UNKNOWN_RECORD No revoked person with a company account has this id.';
    expect(await refusal(calls.readmitPerson(id))).toBe(none);
    expect(await refusal(calls.readmitPerson(person.person_id))).toBe(none);
    await calls.revokePerson(id);
    const operator = people.calls({ id: 'p_oooooooooo', name: 'Olga', role: 'operator' });
    expect(await refusal(operator.readmitPerson(id))).toBe(
      'ROLE_FORBIDDEN readmitPerson needs the role approver; your role is operator.',
    );
    expect((await storage.fetch('people', 0))?.head.seq).toBe(4);
  });
});

describe('a person with a company account', () => {
  test('is listed with the account and without a key', async () => {
    const { people, calls } = open();
    const { id } = await people.admit(ADA);
    expect((await calls.listPeople()).people).toEqual([
      {
        person_id: id,
        name: 'Ada Lovelace',
        role: 'operator',
        account_id: 'owner',
        key_prefix: null,
        subject: 'https://login.example.com 7',
        added_at: '2026-01-05T09:00:00.000Z',
        added_by: null,
        last_used_at: '2026-01-05T09:00:00.000Z',
      },
    ]);
  });

  test('gets no role by setPersonRole', async () => {
    const { people, calls, storage } = open();
    const { id } = await people.admit(ADA);
    expect(await refusal(calls.setPersonRole(id, { role: 'viewer' }))).toBe(
      'INVALID_INPUT role: The groups of the company account set the role of this person at each sign-in. Change the groups, or revoke the person.',
    );
    expect((await storage.fetch('people', 0))?.head.seq).toBe(1);
  });
});

/** A log of people that was stored by an earlier version of Parley, which had no company accounts. */
const STORED = [
  {
    hash: '90fa95ed2fa35b51efd6ea56c7051d11eeb8561e758b84815dc6fe626268971a',
    body: '{"session_id":"people","seq":1,"at":"2026-01-05T09:00:00.000Z","kind":"person.added","v":1,"actor":"owner","person":{"id":"owner","name":"Owner"},"data":{"person_id":"p_yW5uCWCI4d","name":"Ada","role":"approver","key_hash":"636fd66e3552344a403358db6ecfd0a0fd530429751f62f42f37fa7fbe67efdc","key_prefix":"pok_000000"},"prev_hash":"0000000000000000000000000000000000000000000000000000000000000000"}',
  },
  {
    hash: '30f6b7f0b2437928a710cae2be18d2ec32a36e1096fc1234d6a4b8aaeda726a3',
    body: '{"session_id":"people","seq":2,"at":"2026-01-05T09:00:00.000Z","kind":"person.added","v":1,"actor":"owner","person":{"id":"p_yW5uCWCI4d","name":"Ada"},"data":{"person_id":"p_2kRSyYLoCt","name":"Bob","role":"viewer","key_hash":"604c13c1a45e61a7b7b87d93776080cbd1a2ca711690c32b4a6f389809ce524e","key_prefix":"pok_000000"},"prev_hash":"90fa95ed2fa35b51efd6ea56c7051d11eeb8561e758b84815dc6fe626268971a"}',
  },
  {
    hash: 'a5c19b14857316d5793d5c24cf5686d1be076619251f29d6019c0ff86fe2d90f',
    body: '{"session_id":"people","seq":3,"at":"2026-01-05T09:00:00.000Z","kind":"person.role_changed","v":1,"actor":"owner","person":{"id":"owner","name":"Owner"},"data":{"person_id":"p_2kRSyYLoCt","role":"operator"},"prev_hash":"30f6b7f0b2437928a710cae2be18d2ec32a36e1096fc1234d6a4b8aaeda726a3"}',
  },
  {
    hash: '12241ddc1625c762274b4bfa1471b3fd95472d1106132a745865069b2df5df90',
    body: '{"session_id":"people","seq":4,"at":"2026-01-05T09:00:00.000Z","kind":"person.revoked","v":1,"actor":"owner","person":{"id":"owner","name":"Owner"},"data":{"person_id":"p_yW5uCWCI4d"},"prev_hash":"a5c19b14857316d5793d5c24cf5686d1be076619251f29d6019c0ff86fe2d90f"}',
  },
] as const;

test('a stored log of people from before company accounts folds into the same people', async () => {
  const storage = createMemoryStorage();
  const events = STORED.map((event, index) => ({ seq: index + 1, ...event }));
  const listing = {
    status: 'ACTIVE',
    phase: 'PEOPLE',
    title: 'People',
    createdAt: '2026-01-05T09:00:00.000Z',
  } as const;
  await storage.create({ sessionId: 'people', ownerId: 'parley:people', listing, place: null }, events, []);
  const { people, calls } = open(storage);
  expect(await people.withKey(`pok_${'2'.padStart(43, '0')}`)).toEqual({
    id: 'p_2kRSyYLoCt',
    name: 'Bob',
    role: 'operator',
    accountId: 'owner',
  });
  expect(await people.withKey(`pok_${'1'.padStart(43, '0')}`)).toBeUndefined();
  expect((await calls.listPeople()).people).toMatchObject([{ name: 'Bob', key_prefix: 'pok_000000', subject: null }]);
  expect(await people.admit(ADA)).toMatchObject({ name: 'Ada Lovelace' });
  expect(await people.verifyLog()).toMatchObject({ ok: true, events: 5 });
});
