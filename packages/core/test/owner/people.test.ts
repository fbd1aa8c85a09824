import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, createParley, type Person } from '../../src/index.ts';
import { SAMPLE_SESSION } from '../../src/testing/opening-events.ts';

const person = (role: Person['role'], name = 'Ada'): Person => ({ id: `id-of-${name}`, name, role });

async function opened() {
  const parley = await createParley({ storage: createMemoryStorage() });
  onTestFinished(() => parley.close());
  const { session_id } = await parley.owner('o').createSession(SAMPLE_SESSION);
  return { parley, session_id };
}

/** By role, the calls of the owner that need this role or a role with more rights. A call that is not listed fails the test. */
const NEEDED: Readonly<Record<Person['role'], readonly string[]>> = {
  viewer:
    'artifact audit blockers board brief certificate changeLinks changes diff find group inbox listSessions overview plan records report revision transcript verifyLog view whoAmI'.split(
      ' ',
    ),
  operator:
    'answerQuestion appointAuthor ask assignAction carryPass createSession direct end extendRounds grantModerator invite linkChange markRead noteFollowup pause pauseAll raiseQuota reassignDefect refuseStep requestChanges respondRecommendation restoreModerator resume resumeAll revoke setModeratorEntitlement start stopModerator unlinkChange waiveDefect withdrawIntervention'.split(
      ' ',
    ),
  approver:
    'approveContract authorize bindWorkflow deleteSession overrideFinding overrideReview releaseHold unbindWorkflow'.split(
      ' ',
    ),
};
const OF_ALL_SESSIONS = [
  'audit',
  'createSession',
  'find',
  'group',
  'inbox',
  'listSessions',
  'overview',
  'pauseAll',
  'resumeAll',
  'setModeratorEntitlement',
];
const ROLES = ['viewer', 'operator', 'approver'] as const;
const NOT_CALLED_BY_PEOPLE = [
  'act',
  'answerOnce',
  'leftBehind',
  'call',
  'dueNotices',
  'recordNotice',
  'retention',
  'waitingSessions',
  'watchNotices',
  'exportAudit',
  'exportLog',
  'watch',
];

type Calls = Readonly<Record<string, (...values: readonly unknown[]) => Promise<unknown>>>;

describe('the role of a person', () => {
  test('is known for every call', async () => {
    const { parley } = await opened();
    const listed = Object.values(NEEDED).flat();
    expect(
      Object.keys(parley.owner('o'))
        .filter((name) => !NOT_CALLED_BY_PEOPLE.includes(name))
        .toSorted(),
    ).toEqual(listed.toSorted());
  });

  const cells = ROLES.flatMap((role, has) =>
    ROLES.flatMap((needed, needs) => NEEDED[needed].map((name) => ({ role, name, needed, isAllowed: has >= needs }))),
  );
  test.each(cells)('$role calls $name, which needs $needed', async ({ role, name, needed, isAllowed }) => {
    const { parley, session_id } = await opened();
    const calls = parley.owner('o', { person: person(role) }) as unknown as Calls;
    const values = OF_ALL_SESSIONS.includes(name) ? [{}] : [session_id, {}];
    const outcome = await calls[name]?.(...values).then(
      () => 'accepted',
      (error: { code: string; details?: object }) =>
        error.code === 'ROLE_FORBIDDEN' ? error.details : 'other refusal',
    );
    if (isAllowed) expect(['accepted', 'other refusal']).toContain(outcome);
    else expect(outcome).toEqual({ required_role: needed });
  });

  test('refuses before anything is stored, and says what to do', async () => {
    const { parley, session_id } = await opened();
    const viewer = parley.owner('o', { person: person('viewer') });
    await expect(viewer.pause(session_id, { reason: 'Lunch.' })).rejects.toMatchObject({
      code: 'ROLE_FORBIDDEN',
      message: 'pause needs the role operator; your role is viewer.',
    });
    expect(await viewer.verifyLog(session_id)).toMatchObject({ ok: true, events: 1 });
  });
});

describe('the person of a call', () => {
  test('is in the event, in the transcript and in what find finds, and in no event of another role', async () => {
    const { parley } = await opened();
    const owner = parley.owner('o', { person: person('operator') });
    const { session_id } = await owner.createSession(SAMPLE_SESSION);
    const renamed = parley.owner('o', { person: { ...person('operator'), name: 'Ada Lovelace' } });
    await renamed.ask(session_id, { targets: ['agent_a'], text: 'Which queue?' });
    await parley.owner('o').ask(session_id, { targets: ['agent_a'], text: 'Which broker?' });
    const lines: string[] = [];
    for await (const line of owner.exportLog(session_id)) lines.push(JSON.parse(JSON.parse(line).event).person?.name);
    expect(lines).toEqual(['Ada', 'Ada Lovelace', undefined]);
    const { messages } = await owner.transcript(session_id);
    expect(messages.map((message) => message.person)).toEqual([{ id: 'id-of-Ada', name: 'Ada Lovelace' }, undefined]);
    const { hits } = await owner.find({ words: 'Which' });
    expect(hits.map(({ name }) => name)).toEqual([null, 'Ada Lovelace']);
    expect(await owner.verifyLog(session_id)).toMatchObject({ ok: true, events: 3 });
  });

  test('is in the events of a pause of all sessions', async () => {
    const { parley, session_id } = await opened();
    const owner = parley.owner('o', { person: person('operator') });
    await owner.start(session_id);
    await owner.pauseAll({ reason: 'Lunch.' });
    const events: unknown[] = [];
    const stop = new AbortController();
    for await (const event of owner.watch(session_id, { signal: stop.signal })) {
      events.push([event.kind, event.person?.name]);
      if (events.length === 3) break;
    }
    expect(events).toEqual([
      ['session.created', undefined],
      ['session.started', 'Ada'],
      ['session.paused', 'Ada'],
    ]);
  });

  test.each([
    [{ id: '', name: 'Ada', role: 'viewer' }, 'person.id must be 1 to 200 characters on one line.'],
    [{ id: 'a', name: 'A\nB', role: 'viewer' }, 'person.name must be 1 to 200 characters on one line.'],
    [{ id: 'a', name: 'x'.repeat(201), role: 'viewer' }, 'person.name must be 1 to 200 characters on one line.'],
    [
      { id: 'a', name: 'Ada\u3164', role: 'viewer' },
      'person.name must not contain an invisible, blank or private character.',
    ],
    [
      { id: 'a', name: 'Owner', role: 'viewer' },
      'person.name must not look like a name that Parley itself uses, such as Owner.',
    ],
    [
      { id: 'a', name: 'agent_a', role: 'viewer' },
      'person.name must not look like a name that Parley itself uses, such as Owner.',
    ],
    [{ id: 'a', name: '\ud800', role: 'viewer' }, 'person.name must be 1 to 200 characters on one line.'],
    [{ id: 'a', name: 'Ada', role: 'admin' }, 'person.role must be one of viewer, operator, approver.'],
  ])('is refused when it is malformed: %j', async (malformed, message) => {
    const { parley } = await opened();
    expect(() => parley.owner('o', { person: malformed as Person })).toThrow(new TypeError(message));
  });
});
