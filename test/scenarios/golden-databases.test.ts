import { overHttp, redeem } from '@parley/core/client';
import { type Mission, runMission, type Step } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bearer } from '../support/requests.ts';
import { restAgent } from './support/doors.ts';
import { GOLDEN_DATABASES, GOLDEN_NAMES, type GoldenDatabase, type GoldenSession } from './support/golden-databases.ts';
import { type Golden, openGolden, STORAGES } from './support/open-golden-database.ts';
import { loadStory } from './support/stories.ts';
import { writeGoldenDatabases } from './support/write-golden-databases.ts';

/**
 * Whether the run writes databases of the current version instead of testing the stored ones. `pnpm golden:databases`
 * sets the variable.
 */
const IS_WRITING = process.env.GOLDEN_DATABASES === 'write';

interface Inbox {
  readonly session_id: string;
  readonly waits: readonly { readonly kind: string }[];
}

const inBrowser = (headers: GoldenDatabase['sign_in']) => ({ ...headers, 'sec-fetch-site': 'same-origin' });

/**
 * For each stage of a stored session: the part of the mission that the test plays next, and the phase after that part.
 */
const STAGES = [
  ['draft', 'discussion', 'CONTRACT'],
  ['discussion', 'discussion', 'CONTRACT'],
  ['contract', 'contract', 'READINESS'],
  ['approved', 'readiness', 'VERIFY'],
  ['build', 'verification', 'RELEASE'],
] as const;

function sessionAt({ record }: Golden, stage: string): GoldenSession {
  return record.sessions.find((session) => session.stage === stage) ?? expect.unreachable();
}

/** Adds `seen`, which the owner's decisions did not send when the databases were stored. */
const withSeen = (step: Step): Step =>
  step.by === 'owner' && ['overrideFinding', 'approveContract', 'authorize'].includes(step.call)
    ? { ...step, input: { ...step.input, seen: { $: 'head.seq' } } }
    : step;

/** Plays the next steps of the stored session, with the tokens of the stored database. */
async function playOn({ url, owner }: Golden, { session_id, tokens, next }: GoldenSession): Promise<void> {
  const story = await loadStory('offline-sync');
  const mission: Mission = {
    ...story,
    discussion: [],
    contract: [],
    readiness: [],
    verification: [],
    [next.part]: next.steps.map(withSeen),
  };
  await runMission(mission, {
    owner: {
      createSession: async () => ({ session_id }),
      call: async (operation, id, input) => {
        if (operation === 'invite') return { code: 'redeemed before' };
        return operation === 'start' ? {} : owner.call(operation, id, input);
      },
    },
    agents: async ({ role }) => restAgent(`${url}/api/public/agent`, { session_id, role, token: tokens[role] ?? '' }),
  });
}

if (IS_WRITING)
  test('writes databases of this version', async () => {
    const databaseUrl = inject('databaseUrl');
    if (databaseUrl === null) throw new Error('Install PostgreSQL, or name a server with TEST_DATABASE_URL.');
    await writeGoldenDatabases(databaseUrl);
  });

const CASES = GOLDEN_NAMES.flatMap((name) => STORAGES.map((storage) => ({ name, storage })));

describe.skipIf(IS_WRITING).each(CASES)('a database of $name on $storage', ({ name, storage }) => {
  let golden: Golden;
  beforeAll(async () => {
    golden = await openGolden(storage, new URL(`${name}/${storage}/`, GOLDEN_DATABASES));
  });
  afterAll(() => golden?.close());

  test('lists every session with its title, status and phase', async () => {
    const { json } = await golden.ask(bearer(golden.key), 'sessions');
    const listed = json.sessions.map(({ session_id, title, status, phase }: GoldenSession) => [
      session_id,
      title,
      status,
      phase,
    ]);
    const written = golden.record.sessions.map(({ session_id, title, status, phase }) => [
      session_id,
      title,
      status,
      phase,
    ]);
    expect(listed.toSorted()).toEqual(written.toSorted());
  });

  test('verifies the log of every session up to its head', async () => {
    for (const { session_id, head } of golden.record.sessions) {
      const { json } = await golden.ask(bearer(golden.key), `sessions/${session_id}/verify-log`);
      expect(json).toMatchObject({ ok: true, events: head.seq, head });
      expect((await golden.ask(bearer(golden.key), `sessions/${session_id}`)).json.head).toEqual(head);
    }
  });

  test('has the owner key of then, with which its owner is an approver', async () => {
    expect(golden.service.made).toBeUndefined();
    const me = { id: 'owner', name: 'Owner', role: 'approver' };
    expect(await golden.ask(bearer(golden.key), 'me')).toEqual({ status: 200, json: me });
    const signedIn = await golden.ask({ 'sec-fetch-site': 'same-origin' }, 'sign-in', { owner_key: golden.key });
    expect(signedIn.status).toBe(200);
  });

  test('accepts the sign-ins of then', async () => {
    const { sign_in, people } = golden.record;
    const me = await golden.ask(inBrowser(sign_in), 'me');
    expect(me).toEqual({ status: 200, json: { id: 'owner', name: 'Owner', role: 'approver' } });
    for (const person of people) {
      const { name: called, role } = person;
      expect((await golden.ask(inBrowser(person.sign_in), 'me')).json).toMatchObject({ name: called, role });
      expect((await golden.ask(bearer(person.key), 'me')).json).toMatchObject({ name: called, role });
    }
  });

  test('lists what waits for the owner', async () => {
    const { json } = await golden.ask(bearer(golden.key), 'inbox');
    const waiting = Object.fromEntries(
      json.sessions.map(({ session_id, waits }: Inbox) => [session_id, waits.map(({ kind }) => kind)]),
    );
    const { session_id: draft } = sessionAt(golden, 'draft');
    const open = golden.record.sessions.filter(({ status }) => status !== 'ENDED');
    expect(Object.keys(waiting).toSorted()).toEqual(open.map(({ session_id }) => session_id).toSorted());
    expect(waiting[draft]).toEqual(['START']);
  });

  test('starts the draft', async () => {
    const { session_id } = sessionAt(golden, 'draft');
    const started = await golden.ask(bearer(golden.key), `sessions/${session_id}/start`, {});
    expect([started.status, started.json.status]).toEqual([200, 'ACTIVE']);
  });

  test.each(STAGES)(
    'goes on in the session %s with the tokens of then, to the end of its %s',
    async (stage, part, phase) => {
      const session = sessionAt(golden, stage);
      expect([session.next.part, session.next.steps.length > 0]).toEqual([part, true]);
      await playOn(golden, session);
      const { json } = await golden.ask(bearer(golden.key), `sessions/${session.session_id}`);
      expect(json.state.phase).toBe(phase);
      expect(json.head.seq).toBeGreaterThan(session.head.seq);
      const report = await golden.ask(bearer(golden.key), `sessions/${session.session_id}/verify-log`);
      expect(report.json).toMatchObject({ ok: true, head: json.head });
    },
  );

  test('serves reads of an ended session to its agents', async () => {
    const { session_id, tokens } = sessionAt(golden, 'completed');
    const agent = restAgent(`${golden.url}/api/public/agent`, {
      session_id,
      role: 'agent_a',
      token: tokens.agent_a ?? '',
    });
    expect(await agent('read_session_state', {})).toMatchObject({ status: 'ENDED', phase: 'RELEASE' });
  });

  test('redeems an invitation of then', async () => {
    const { session_id } = sessionAt(golden, 'draft');
    const pass = await redeem(overHttp(`${golden.url}/api/public/agent`), { code: golden.record.invitation });
    expect(pass).toMatchObject({ session_id, role: 'moderator' });
  });

  test('takes people, who act in its sessions under their names', async () => {
    const { session_id } = sessionAt(golden, 'discussion');
    const added = await golden.ask(bearer(golden.key), 'people', { name: 'Grace', role: 'operator' });
    expect(added.status).toBe(200);
    const paused = await golden.ask(bearer(added.json.key), `sessions/${session_id}/pause`, { reason: 'Lunch.' });
    expect([paused.status, paused.json.status]).toEqual([200, 'PAUSED']);
    const approved = await golden.ask(bearer(added.json.key), `sessions/${session_id}/authorize`, {});
    expect([approved.status, approved.json.required_role]).toEqual([403, 'approver']);
    expect(await golden.service.people.verifyLog()).toMatchObject({
      ok: true,
      events: golden.record.people.length + 1,
    });
  });
});
