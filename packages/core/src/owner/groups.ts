/**
 * The sessions of a group. Each group has a log of its own, stored like a session under an id that no session has. The id is
 * made from the owner and the name, so that a call on a group reads neither the list of sessions nor another group.
 *
 * A session joins its group before it is stored, because no transaction covers two logs. Cannot happen: a session is stored
 * that the log of its group does not contain; a group has more than `MAX_GROUP_SESSIONS` sessions. An entry without a session is
 * a session that is being stored, that could not be stored, or that is erased. Such an entry is never shown, and counts
 * for the limit only while the session may still be stored.
 */
import { z } from 'zod';
import { MAX_GROUP_SESSIONS } from '../areas/owner/session.ts';
import { releaseOf, viewInGroup } from '../areas/owner/view.ts';
import type { SessionState } from '../areas/state.ts';
import { isoTime } from '../kernel/clock.ts';
import { noteBroken } from '../kernel/engine/engine.ts';
import { fail, ParleyError } from '../kernel/errors.ts';
import { type DraftsOf, defineEvents, type EventsOf, ownersOnly } from '../kernel/log/event-catalog.ts';
import { nameKey } from '../kernel/name-key.ts';
import { readInput } from '../kernel/operation/input.ts';
import type { SessionRoot } from '../kernel/operation/operation.ts';
import { GROUP_LOG_PREFIX, GROUP_OWNER } from '../kernel/person.ts';
import { type OwnLog, openOwnLog, ownLogDomain } from '../kernel/session/own-log.ts';
import { createSessionQueue } from '../kernel/session/sessions.ts';
import type { ListedSession } from '../kernel/storage/storage.ts';
import { canonicalJson, sha256Hex } from '../kernel/text/hash.ts';
import { echoName, quotedName } from '../kernel/text/safe-echo.ts';
import { glancesAt } from './inbox.ts';
import { OWNER_METHODS, type OwnerMethodOutput } from './methods.ts';
import type { OwnerOf, OwnSession } from './own-session.ts';

const groupEvents = defineEvents({
  'group.joined': ownersOnly({
    session_id: z.string(),
    /** Entries that are removed, because there are no such sessions. */
    gone: z.array(z.string()),
  }),
});

interface Member {
  readonly sessionId: string;
  readonly at: string;
}

interface Group extends SessionRoot {
  /** In the order in which they joined. */
  readonly members: readonly Member[];
}

const domain = ownLogDomain<Group>({
  ...{ catalog: groupEvents, ownerId: GROUP_OWNER, title: 'Group of sessions', phase: 'KEPT' },
  start: { members: [] },
  evolve({ members }, event) {
    const { at, data } = event as EventsOf<typeof groupEvents>;
    const staying = members.filter(({ sessionId }) => !data.gone.includes(sessionId));
    return { members: [...staying, { sessionId: data.session_id, at }] };
  },
});

const logIdOf = ({ ownerId }: OwnerOf, name: string): string =>
  `${GROUP_LOG_PREFIX}${sha256Hex(canonicalJson([ownerId, nameKey(name)])).slice(0, 40)}`;

function openLog({ engine }: OwnerOf, sessionId: string): OwnLog<Group, DraftsOf<typeof groupEvents>> {
  const { storage, clock, random } = engine;
  return openOwnLog({ storage, clock, random, domain, sessionId, about: 'the group', onState: () => undefined });
}

const storedOf = async ({ engine, ownerId }: OwnerOf, members: readonly Member[]): Promise<readonly ListedSession[]> =>
  (await Promise.all(members.map(({ sessionId }) => engine.storage.find(ownerId, sessionId)))).filter(
    (listed) => listed !== null,
  );

/** The sessions of the group with this name, in the order in which they were created. Empty if there is no such group. */
async function sessionsInGroup(owner: OwnerOf, name: string): Promise<readonly ListedSession[]> {
  return await storedOf(owner, (await openLog(owner, logIdOf(owner, name)).load()).members);
}

/** The milliseconds after which a session that has joined is stored, or never will be. */
const STORING_MS = 60_000;

/** The creations of one process that join the same group run one after another. */
const queues = new WeakMap<object, ReturnType<typeof createSessionQueue>>();

/** Adds a session that is about to be stored. @throws ParleyError LIMIT_EXCEEDED if the group is full */
export async function joinGroup(owner: OwnerOf, name: string, sessionId: string): Promise<void> {
  const oneByOne = queues.get(owner.engine) ?? createSessionQueue();
  queues.set(owner.engine, oneByOne);
  const logId = logIdOf(owner, name);
  await oneByOne(logId, () => join(owner, { name, logId, sessionId }));
}

interface Joining {
  readonly name: string;
  readonly logId: string;
  readonly sessionId: string;
}

async function join(owner: OwnerOf, { name, logId, sessionId }: Joining): Promise<void> {
  const log = openLog(owner, logId);
  const { members } = await log.load();
  const stored = new Set((await storedOf(owner, members)).map((listed) => listed.sessionId));
  const latest = isoTime(owner.engine.clock.now() - STORING_MS);
  const gone = new Set(
    members.flatMap((member) => (!stored.has(member.sessionId) && member.at < latest ? [member.sessionId] : [])),
  );
  await log.change(
    async () => owner.person,
    (group) => {
      const ids = group.members.map((member) => member.sessionId);
      if (ids.includes(sessionId)) return [];
      const leaving = ids.filter((id) => gone.has(id));
      if (ids.length - leaving.length >= MAX_GROUP_SESSIONS) refuseFull(name);
      return [{ kind: 'group.joined', data: { session_id: sessionId, gone: leaving } }];
    },
  );
}

const refuseFull = (name: string): never =>
  fail('LIMIT_EXCEEDED', `The group ${quotedName(name)} has ${MAX_GROUP_SESSIONS} sessions, and cannot have more.`, {
    limit: MAX_GROUP_SESSIONS,
    hint: 'Use another name, or delete a session of the group. A deleted session makes room after a minute.',
  });

type Unreadable = Pick<
  OwnerMethodOutput<'group'>['sessions'][number],
  'contract' | 'certified' | 'deployment_authorized' | 'stops'
>;

const UNREADABLE: Unreadable = {
  contract: null,
  certified: false,
  deployment_authorized: false,
  stops: ['The session cannot be read.'],
};

/** The sessions of a group, in the order in which they were created. Folds these sessions only. */
export async function groupOf(owner: OwnerOf, raw: unknown): Promise<OwnerMethodOutput<'group'>> {
  const { name, said } = readInput(OWNER_METHODS.group.input, raw);
  const listing = await sessionsInGroup(owner, name);
  const glances = await glancesAt(owner, listing, said === 'whole', viewInGroup);
  for (const { listed, isBroken } of glances) if (isBroken) noteBroken(owner.engine, listed.sessionId);
  if (glances.length === 0)
    fail('UNKNOWN_RECORD', 'You have no session in a group with this name.', {
      record: { type: 'group', id: echoName(name) },
      hint: 'Set the group when you create a session: createSession takes it as group.',
    });
  return { sessions: glances.map(({ glance, more = UNREADABLE }) => ({ session: glance, ...more })) };
}

/**
 * Refuses to go on unless every other session of the group is certified, or ended with an authorized deployment. Each is judged at the
 * head that the storage has now. A session can lose its certification, or join the group, at any moment after that:
 * no transaction covers several sessions.
 *
 * @throws ParleyError CERTIFICATION_INCOMPLETE; INVALID_TRANSITION if the session is in no group
 */
export async function requireGroupReady(
  own: OwnSession,
  { sessionId, profile: { group } }: SessionState,
): Promise<void> {
  if (group === undefined)
    return fail('INVALID_TRANSITION', 'The session is in no group, so group_ready has nothing to wait for.', {
      hint: 'Make the call without group_ready.',
    });
  const listing = (await sessionsInGroup(own, group)).filter((listed) => listed.sessionId !== sessionId);
  const judged = await Promise.all(
    listing.map(async ({ sessionId: session_id, title }) => ({
      session_id,
      title,
      stops: await stopsOf(own, session_id),
    })),
  );
  const waiting = judged.filter(({ stops }) => stops.length > 0);
  if (waiting.length === 0) return;
  const named = waiting.map(({ session_id, title }) => `${echoName(title)} (${session_id})`).join(', ');
  fail('CERTIFICATION_INCOMPLETE', `Sessions of the group that cannot be released yet: ${named}.`, {
    sessions: waiting,
    hint: 'Wait until each of sessions is certified, or make the call without group_ready.',
  });
}

/** What stops the release of a session. Empty if nothing does, or if the session was deleted meanwhile. */
async function stopsOf({ engine }: OwnerOf, sessionId: string): Promise<readonly string[]> {
  try {
    const state = await engine.sessions.load(sessionId);
    return state ? releaseOf(state).stops : [];
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return UNREADABLE.stops;
  }
}
