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
import { isoTime } from '../kernel/clock.ts';
import { fail } from '../kernel/errors.ts';
import { GENESIS, type LoggedEvent } from '../kernel/log/event.ts';
import { type DraftsOf, defineEvents, type EventsOf, ownersOnly } from '../kernel/log/event-catalog.ts';
import { nameKey } from '../kernel/name-key.ts';
import type { LogDomain, SessionRoot } from '../kernel/operation/operation.ts';
import { GROUP_LOG_PREFIX, GROUP_OWNER } from '../kernel/person.ts';
import { type OwnLog, openOwnLog } from '../kernel/session/own-log.ts';
import { createSessionQueue } from '../kernel/session/sessions.ts';
import type { ListedSession } from '../kernel/storage/listing.ts';
import { canonicalJson } from '../kernel/text/canonical.ts';
import { quotedName } from '../kernel/text/safe-echo.ts';
import { sha256Hex } from '../kernel/text/sha256.ts';
import type { OwnerOf } from './own-session.ts';

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

const domain: LogDomain<Group> = {
  catalog: groupEvents,
  empty: (sessionId) => ({ sessionId, ownerId: GROUP_OWNER, head: GENESIS, at: isoTime(0), members: [] }),
  evolve(state, event: LoggedEvent) {
    const { seq, hash, at, data } = event as EventsOf<typeof groupEvents>;
    const members = [
      ...state.members.filter(({ sessionId }) => !data.gone.includes(sessionId)),
      { sessionId: data.session_id, at },
    ];
    return { ...state, head: { seq, hash }, at, members };
  },
  settleObligations: () => [],
  listing: ({ at }) => ({ title: 'Group of sessions', status: 'ACTIVE', phase: 'KEPT', createdAt: at }),
};

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
export async function sessionsInGroup(owner: OwnerOf, name: string): Promise<readonly ListedSession[]> {
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
