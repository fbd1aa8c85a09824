import { accessGivenBy, type GivenAccess } from '../areas/access/rules.ts';
import { approvalsOf, stepsWithOpenApprovals, withStanding } from '../areas/approvals/rules.ts';
import { endGivenAccess } from '../areas/owner/agents.ts';
import type { SessionState } from '../areas/state.ts';
import { isoTime } from '../kernel/clock.ts';
import { TOKEN_LIFETIME_MS } from '../kernel/limits.ts';
import type { OwnerEventFilter } from '../kernel/storage/storage.ts';
import { type Gone, type LeftBehind, MAX_LEFT_SHOWN } from '../people/leaving.ts';
import { inTurn, type OwnerOf, ownerEventPages, runOwn, SESSIONS_AT_ONCE } from './own-session.ts';
import { failureOf } from './pause.ts';

/** Milliseconds after which no further session is looked at: a client waits 30 s for its answer, and a repeat goes on. */
const PATIENCE_MS = 5_000;

interface Found<T> {
  readonly entries: readonly T[];
  readonly failed: number;
}

type Access = LeftBehind['tokens'][number] & Pick<GivenAccess, 'kind'>;

/**
 * Finds the approvals of people that do not count any more, and the access to sessions that they gave to agents. If `ends` is
 * true, ends this access; who makes the call is then judged before each session. Checks no role. Sessions that are not looked at
 * within 5 s count as failed: of a call that is repeated, those come first from which a call before has not taken all access.
 */
export async function leftBehind(owner: OwnerOf, gone: Gone, ends: boolean): Promise<LeftBehind> {
  const until = owner.engine.clock.now() + PATIENCE_MS;
  const theirs = { ...owner, ownerId: gone.accountId, until };
  const approvals = gone.mayApprove ? NOTHING : await findApprovals(theirs, gone);
  const access = gone.mayInvite ? NOTHING : await findAccess(theirs, gone, ends);
  const isShown = gone.accountId === owner.ownerId;
  const shown = <T>(entries: readonly T[]): T[] => (isShown ? entries.slice(0, MAX_LEFT_SHOWN) : []);
  const of = (wanted: GivenAccess['kind']) =>
    access.entries.flatMap(({ kind, ...entry }) => (kind === wanted ? [entry] : []));
  const all = { approvals: approvals.entries, invitations: of('invitation'), tokens: of('token') };
  const listed = {
    approvals: shown(all.approvals),
    invitations: shown(all.invitations),
    tokens: shown(all.tokens),
  };
  return {
    ...listed,
    more: {
      approvals: all.approvals.length - listed.approvals.length,
      invitations: all.invitations.length - listed.invitations.length,
      tokens: all.tokens.length - listed.tokens.length,
    },
    ended: access.entries.filter(({ ended }) => ended).length,
    failed: approvals.failed + access.failed,
  };
}

const NOTHING: Found<never> = { entries: [], failed: 0 };

/** An owner, and when no further session is looked at, in milliseconds since 1970. */
interface Walking extends OwnerOf {
  readonly until: number;
}

interface Look<T> {
  readonly filter: OwnerEventFilter;
  readonly personIds: readonly string[] | undefined;
  /** Whether a state that is known already shows that there may be something to find. */
  readonly mayFind: (state: SessionState) => boolean;
  readonly find: (state: SessionState) => Promise<readonly T[]>;
}

const findApprovals = async (owner: Walking, { personIds }: Gone) =>
  await inSessionsWith(owner, {
    filter: { kind: 'approval.given' },
    personIds,
    mayFind: ({ profile }) => profile.status !== 'ENDED',
    async find(state) {
      if (state.profile.status === 'ENDED') return [];
      const seen = withStanding(state, (id) => personIds !== undefined && !personIds.includes(id));
      return stepsWithOpenApprovals(seen)
        .filter((step) => approvalsOf(seen, step).lapsed.length > 0)
        .map((stage) => ({ session_id: state.sessionId, title: state.profile.title, stage }));
    },
  });

async function findAccess(owner: Walking, { personIds }: Gone, ends: boolean): Promise<Found<Access>> {
  const { clock, limits } = owner.engine;
  const now = isoTime(clock.now());
  const from = isoTime(clock.now() - limits.invitationLifetimeMs - TOKEN_LIFETIME_MS);
  return await inSessionsWith(owner, {
    filter: { kind: 'invitation.created', from },
    personIds,
    mayFind: (state) => accessGivenBy(state, personIds, now).length > 0,
    async find(state) {
      const { sessionId, profile } = state;
      const given = accessGivenBy(state, personIds, now);
      const { still } =
        ends && given.length > 0
          ? await runOwn({ ...owner, sessionId }, endGivenAccess, { given_by: personIds?.slice() })
          : { still: given };
      return given.map((one) => ({
        session_id: sessionId,
        title: profile.title,
        ...one,
        ended: !still.some(({ kind, role }) => kind === one.kind && role === one.role),
      }));
    },
  });
}

/** Looks at each session of the owner that has an event of the filter by one of the people, or by anybody. Counts the sessions where that fails. */
async function inSessionsWith<T>(owner: Walking, look: Look<T>): Promise<Found<T>> {
  const { engine, ownerId, until } = owner;
  const ids = await sessionsToLookAt(owner, look);
  const find = async (sessionId: string, load: Promise<SessionState | null>) => {
    try {
      const state = await load;
      return { entries: state?.ownerId === ownerId ? await look.find(state) : [], failed: 0 };
    } catch (error) {
      return { entries: [], failed: failureOf(sessionId, error).length };
    }
  };
  const found: Found<T>[] = [];
  for (let next = 0; next < ids.length; next += SESSIONS_AT_ONCE) {
    const isOver = engine.clock.now() >= until;
    if (isOver) return joined([...found, { entries: [], failed: ids.length - next }]);
    const some = ids.slice(next, next + SESSIONS_AT_ONCE);
    const loads = await inTurn(owner, async () => {
      const running = some.map((id) => engine.sessions.load(id));
      await Promise.allSettled(running);
      return { running };
    });
    found.push(
      ...(await Promise.all(some.map((id, index) => find(id, loads.running[index] ?? Promise.resolve(null))))),
    );
  }
  return joined(found);
}

const joined = <T>(found: readonly Found<T>[]): Found<T> => ({
  entries: found.flatMap(({ entries }) => entries),
  failed: found.reduce((sum, { failed }) => sum + failed, 0),
});

/** The ids of the sessions to look at: last those whose known state shows nothing to find. */
async function sessionsToLookAt<T>(
  owner: Walking,
  { filter, personIds, mayFind }: Look<T>,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const personId of personIds ?? [undefined])
    for (const id of await sessionsWith(owner, { ...filter, personId })) ids.add(id);
  const isDone = (id: string): boolean => {
    const known = owner.engine.sessions.peek(id);
    return known !== undefined && !mayFind(known);
  };
  return [...ids].toSorted((one, other) => Number(isDone(one)) - Number(isDone(other)));
}

/** The ids of the sessions of an owner that have an event of the filter, the latest event first. */
async function sessionsWith(owner: OwnerOf, filter: OwnerEventFilter): Promise<readonly string[]> {
  const ids = new Set<string>();
  for await (const page of ownerEventPages(owner, [owner.ownerId], { ...filter, order: 'newest' }, (events) => events))
    for (const { sessionId } of page) ids.add(sessionId);
  return [...ids];
}
