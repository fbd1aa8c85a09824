import { accessGivenBy, type GivenAccess } from '../areas/access/rules.ts';
import { approvalsOf, stepsWithOpenApprovals, withStanding } from '../areas/approvals/rules.ts';
import { endGivenAccess } from '../areas/owner/agents/end-given-access.ts';
import type { SessionState } from '../areas/state.ts';
import { isoTime } from '../kernel/clock.ts';
import { TOKEN_LIFETIME_MS } from '../kernel/limits.ts';
import { mapConcurrent } from '../kernel/map-concurrent.ts';
import type { OwnerEventFilter, OwnerEventPosition } from '../kernel/storage/owner-events.ts';
import { type Gone, type LeftBehind, MAX_LEFT_SHOWN } from '../people/left-behind.ts';
import { readable } from './audit/audit.ts';
import { inTurn, type OwnerOf, runOwn } from './own-session.ts';
import { failureOf } from './pause.ts';

const EVENTS_PER_PAGE = 200;
/** Maximum number of sessions that are read at the same time. */
const MAX_CONCURRENT = 8;

interface Found<T> {
  readonly entries: readonly T[];
  readonly failed: number;
}

type Access = LeftBehind['tokens'][number] & Pick<GivenAccess, 'kind'>;

/**
 * Finds the approvals of people that do not count any more, and the access to sessions that they gave to agents. If `ends` is
 * true, ends this access; who makes the call is then judged before each session. Checks no role.
 */
export async function leftBehind(owner: OwnerOf, gone: Gone, ends: boolean): Promise<LeftBehind> {
  const theirs = { ...owner, ownerId: gone.accountId };
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

const findApprovals = async (owner: OwnerOf, { personIds }: Gone) =>
  await inSessionsWith(owner, { kind: 'approval.given' }, personIds, async (state) => {
    if (state.profile.status === 'ENDED') return [];
    const seen = withStanding(state, (id) => personIds !== undefined && !personIds.includes(id));
    return stepsWithOpenApprovals(seen)
      .filter((step) => approvalsOf(seen, step).lapsed.length > 0)
      .map((stage) => ({ session_id: state.sessionId, title: state.profile.title, stage }));
  });

async function findAccess(owner: OwnerOf, { personIds }: Gone, ends: boolean): Promise<Found<Access>> {
  const { clock, limits } = owner.engine;
  const now = isoTime(clock.now());
  const from = isoTime(clock.now() - limits.invitationLifetimeMs - TOKEN_LIFETIME_MS);
  return await inSessionsWith(owner, { kind: 'invitation.created', from }, personIds, async (state) => {
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
  });
}

/** Looks at each session of the owner that has an event of the filter by one of the people, or by anybody. Counts the sessions where that fails. */
async function inSessionsWith<T>(
  owner: OwnerOf,
  filter: OwnerEventFilter,
  personIds: readonly string[] | undefined,
  look: (state: SessionState) => Promise<readonly T[]>,
): Promise<Found<T>> {
  const { engine, ownerId } = owner;
  const ids = new Set<string>();
  for (const personId of personIds ?? [undefined])
    for (const id of await sessionsWith(owner, { ...filter, personId })) ids.add(id);
  const found = await mapConcurrent(MAX_CONCURRENT, [...ids], async (sessionId) => {
    try {
      const state = await inTurn(owner, () => engine.sessions.load(sessionId));
      return { entries: state?.ownerId === ownerId ? await look(state) : [], failed: 0 };
    } catch (error) {
      return { entries: [], failed: failureOf(sessionId, error).length };
    }
  });
  return {
    entries: found.flatMap(({ entries }) => entries),
    failed: found.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** The ids of the sessions of an owner that have an event of the filter, the latest event first. */
async function sessionsWith(owner: OwnerOf, filter: OwnerEventFilter): Promise<readonly string[]> {
  const { engine, ownerId } = owner;
  const ids = new Set<string>();
  for (let after: OwnerEventPosition | undefined; ; ) {
    const page = { ...filter, order: 'newest', limit: EVENTS_PER_PAGE, after } as const;
    const events = await inTurn(owner, () => engine.storage.ownerEvents([ownerId], page));
    for (const { sessionId } of events) ids.add(sessionId);
    const last = events.at(-1);
    if (!last) return [...ids];
    after = { at: readable(last).at, sessionId: last.sessionId, seq: last.seq };
  }
}
