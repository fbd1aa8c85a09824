import type { z } from 'zod';
import { recordDelivery } from '../areas/notices/operations.ts';
import { dueNotices, type Notice } from '../areas/notices/rules.ts';
import { type SessionGlance, viewGlance, viewUnreadable } from '../areas/owner/view.ts';
import { inboxPlaceOf } from '../areas/session/owner-waits/owner-waits.ts';
import type { SessionState } from '../areas/state.ts';
import { isoTime } from '../kernel/clock.ts';
import { type Engine, noteBroken } from '../kernel/engine/engine.ts';
import { presenceOf } from '../kernel/engine/replies.ts';
import { ParleyError } from '../kernel/errors.ts';
import { mapConcurrent } from '../kernel/maps.ts';
import { readInput } from '../kernel/operation/input.ts';
import type { Presence } from '../kernel/roles.ts';
import { createMemoryInbox, type PlacedSession } from '../kernel/storage/memory-storage.ts';
import type {
  InboxCount,
  InboxEntry,
  InboxNote,
  InboxPage,
  ListedSession,
  StoredInbox,
} from '../kernel/storage/storage.ts';
import type { Committed } from '../kernel/waiting/wake-ups.ts';
import { OWNER_METHODS, type OwnerMethodOutput } from './methods.ts';
import { type OwnerOf, type OwnSession, ownState, runOwn, sessionsOf, standingsOf } from './own-session.ts';

/** Maximum number of sessions that are read at the same time. */
const MAX_CONCURRENT = 8;

interface Glanced<Listed extends ListedSession, More = undefined> {
  readonly listed: Listed;
  readonly glance: z.output<typeof SessionGlance>;
  /** The place in the inbox, computed from the folded state. Absent if the log cannot be folded. */
  readonly note?: InboxNote;
  /** What the caller computes from the folded state. Absent if the log cannot be folded. */
  readonly more?: More;
  readonly isBroken: boolean;
}

/** Whose sessions are folded. `approvers` matters only for the texts of the tasks, not for places in the inbox. */
type Looking = Pick<OwnerOf, 'engine' | 'approvers'>;

/**
 * Folds the sessions of a list, in its order. Leaves out sessions that were deleted meanwhile. If a log cannot be
 * folded, the `glance` of its session contains the error.
 *
 * @param isWhole whether the tasks quote as much of an agent's text as the operation `view` does; if false, they quote
 *   its first 200 characters
 */
export async function glancesAt<Listed extends ListedSession, More = undefined>(
  { engine, approvers }: Looking,
  listing: readonly Listed[],
  isWhole: boolean,
  compute?: (state: SessionState) => More,
): Promise<readonly Glanced<Listed, More>[]> {
  const calls = await engine.presence.ofAll(listing.map(({ sessionId }) => sessionId));
  const standing = standingsOf({ approvers });
  const glances = await mapConcurrent(MAX_CONCURRENT, listing, async (listed) => {
    const { sessionId } = listed;
    try {
      const state = await engine.sessions.load(sessionId);
      if (!state) return [];
      const presence = presenceOf(engine, calls.get(sessionId) ?? {});
      const note = { sessionId, head: state.head, place: inboxPlaceOf(state, presence) };
      const glance = viewGlance(await standing(state), presence, isWhole);
      return [{ listed, glance, note, ...(compute && { more: compute(state) }), isBroken: false }];
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      return [{ listed, glance: viewUnreadable(listed, error), isBroken: error.code === 'LOG_BROKEN' }];
    }
  });
  return glances.flat();
}

/**
 * The inbox for a storage that does not store the places of sessions. Its first use folds every session of the owner
 * that has not ended and keeps the result, so each request needs a new inbox.
 */
function walkedInbox(engine: Engine<SessionState>): StoredInbox {
  let walk: Promise<StoredInbox> | undefined;
  const walked = (ownerId: string): Promise<StoredInbox> => {
    walk ??= placeAll(engine, ownerId).then(createMemoryInbox);
    return walk;
  };
  return {
    count: async (ownerId, dueAt) => (await walked(ownerId)).count(ownerId, dueAt),
    page: async (ownerId, page) => (await walked(ownerId)).page(ownerId, page),
    unplaced: async () => [],
    note: async () => undefined,
    noteBroken: async () => undefined,
  };
}

async function placeAll(engine: Engine<SessionState>, ownerId: string): Promise<ReadonlyMap<string, PlacedSession>> {
  const listing: ListedSession[] = [];
  for await (const listed of sessionsOf({ engine, ownerId })) if (listed.status !== 'ENDED') listing.push(listed);
  const placed = (await glancesAt({ engine }, listing, false)).flatMap(({ listed, note, isBroken }) => {
    const { createdAt: at, seq } = listed;
    const head = note?.head ?? { seq, hash: '' };
    const place = isBroken ? ({ rank: 1, at, tasks: 1 } as const) : note?.place;
    return place
      ? [[listed.sessionId, { ownerId, listing: listed, head, noted: { seq: head.seq, place } }] as const]
      : [];
  });
  return new Map(placed);
}

/** Maximum number of sessions of unknown place that one call folds. */
const MAX_UNPLACED = 200;

/**
 * The sessions that wait for an owner. The storage keeps the place of each session in its owner's inbox, so a call
 * reads and folds only the sessions of one page. A session is folded if its place means that
 *
 * - tasks wait (ranks 1 to 3), or
 * - an agent can be silent by now (rank 4). The times of the agents' latest calls are not part of a place, so the fold
 *   may find that nothing waits. The place then gets the time at which an agent that makes no further call counts as
 *   silent, and the session is left out until then.
 *
 * If the place of a session is not known, because an earlier version of Parley has written to it, the call folds the
 * session and stores its place. If no such place can be stored, because the storage refuses writes or this version
 * cannot fold the session, the call folds all sessions instead. Cannot happen: a session in which something waits is
 * left out. The time of a place of rank 4 is never later than the time at which an agent counts as silent.
 */
export async function inboxOf(owner: OwnerOf, raw: unknown): Promise<OwnerMethodOutput<'inbox'>> {
  const { engine, ownerId } = owner;
  const { limit = 50, after, said } = readInput(OWNER_METHODS.inbox.input, raw);
  const dueAt = isoTime(engine.clock.now());
  const { inbox, counts } = await counted(engine, ownerId, dueAt);
  const cursor = after === undefined ? undefined : readCursor(after);
  const page = await inbox.page(ownerId, { limit, dueAt, ...(cursor && { after: cursor }) });
  const glances = await look(owner, inbox, { page, isWhole: said === 'whole' });
  const last = page.length === limit ? page.at(-1) : undefined;
  const isQuiet = ({ place }: InboxEntry): boolean => place?.rank === 4;
  const present = page.filter(isQuiet).length - glances.filter(({ listed }) => isQuiet(listed)).length;
  const sum = (member: 'sessions' | 'tasks', ...ranks: readonly InboxCount['rank'][]): number =>
    counts.reduce((total, count) => total + (ranks.includes(count.rank) ? count[member] : 0), 0);
  return {
    sessions: glances.map(({ glance }) => glance),
    next_after: last ? cursorOf(last) : null,
    tasks: sum('tasks', 1, 2),
    counts: { open: sum('sessions', 1, 2), parked: sum('sessions', 3), absent: sum('sessions', 4) - present },
    unread: sum('sessions', 0),
  };
}

interface Counted {
  readonly inbox: StoredInbox;
  readonly counts: readonly InboxCount[];
}

/**
 * Returns the inbox for one call, and the number of its sessions by rank. First folds at most `MAX_UNPLACED` sessions whose place
 * is not known.
 */
async function counted(engine: Engine<SessionState>, ownerId: string, dueAt: string): Promise<Counted> {
  const walked = walkedInbox(engine);
  const { inbox = walked } = engine.storage;
  const counts = await inbox.count(ownerId, dueAt);
  if (counts.every(({ rank }) => rank > 0)) return { inbox, counts };
  const { found, placed } = await placeUnplaced(engine, inbox, ownerId);
  const answers = found > 0 && placed === 0 ? walked : inbox;
  return { inbox: answers, counts: await answers.count(ownerId, dueAt) };
}

/**
 * The sessions in which something can wait for an owner. Folds only sessions whose place is not known. The caller folds
 * the other sessions by `readDueNotices`, which corrects the place of a session in which nothing waits.
 */
export async function* waitingSessions(
  engine: Engine<SessionState>,
  ownerId: string,
): AsyncGenerator<InboxEntry, void, undefined> {
  const inbox = await placedInbox(engine, ownerId);
  const dueAt = isoTime(engine.clock.now());
  const limit = MAX_UNPLACED;
  for (let after: InboxPage['after']; ; ) {
    const page = await inbox.page(ownerId, { limit, dueAt, ...(after && { after }) });
    yield* page;
    const last = page.at(-1);
    if (!last?.place || page.length < limit) return;
    after = { ...last.place, sessionId: last.sessionId };
  }
}

/** Returns an inbox in which every session of the owner has a place. */
async function placedInbox(engine: Engine<SessionState>, ownerId: string): Promise<StoredInbox> {
  const walked = walkedInbox(engine);
  const { inbox = walked } = engine.storage;
  for (;;) {
    const { found, placed } = await placeUnplaced(engine, inbox, ownerId);
    if (placed < found) return walked;
    if (found < MAX_UNPLACED) return inbox;
  }
}

/**
 * If nothing waits in a session, stores the time until which nothing can wait there. Errors are ignored: the session is
 * folded again when the owner's waiting sessions are next read.
 */
async function noteQuiet(engine: Engine<SessionState>, state: SessionState, presence: Presence): Promise<void> {
  const { sessionId, head } = state;
  const place = inboxPlaceOf(state, presence);
  if (place?.rank !== 4 || Date.parse(place.at) <= presence.nowMs) return;
  await engine.storage.inbox?.note([{ sessionId, head, place }]).catch(() => undefined);
}

interface Placed {
  /** Number of sessions whose place was not known, at most `MAX_UNPLACED`. */
  readonly found: number;
  /** Number of `found` sessions whose place was stored. The others cannot be folded, or the storage refuses writes. */
  readonly placed: number;
}

/** Folds sessions whose place is not known, and stores their places. */
async function placeUnplaced(engine: Engine<SessionState>, inbox: StoredInbox, ownerId: string): Promise<Placed> {
  const unplaced = await inbox.unplaced(ownerId, MAX_UNPLACED);
  if (unplaced.length === 0) return { found: 0, placed: 0 };
  return { found: unplaced.length, placed: await note(engine, inbox, await glancesAt({ engine }, unplaced, false)) };
}

interface Shown {
  readonly page: readonly InboxEntry[];
  readonly isWhole: boolean;
}

/**
 * Folds the sessions of a page, and returns the sessions in which something waits. Corrects the places of the other
 * sessions. A session that stays in the inbox keeps the time of its place, because otherwise a later page would contain
 * the session again.
 */
async function look(
  owner: Looking,
  inbox: StoredInbox,
  { page, isWhole }: Shown,
): Promise<readonly Glanced<InboxEntry>[]> {
  const glances = await glancesAt(owner, page, isWhole);
  await note(
    owner.engine,
    inbox,
    glances.filter((each) => !isShown(each) || isMisplaced(each)),
  );
  return glances.filter(isShown);
}

const isShown = ({ glance }: Glanced<InboxEntry>): boolean => glance.waits.length > 0 || glance.left_out !== undefined;

/**
 * Whether the stored rank is wrong. A session whose log is broken needs rank 1; any other session needs the rank of its
 * folded state.
 */
const isMisplaced = ({ listed: { place }, note: folded, isBroken }: Glanced<InboxEntry>): boolean =>
  isBroken ? place?.rank !== 1 : folded !== undefined && folded.place?.rank !== place?.rank;

/**
 * Stores places, and returns their number. If the storage refuses them, returns 0, and the next call folds these sessions again.
 */
async function note(
  engine: Engine<SessionState>,
  inbox: StoredInbox,
  glances: readonly Glanced<InboxEntry>[],
): Promise<number> {
  const notes = glances.flatMap(({ note: folded }) => folded ?? []);
  for (const { listed, isBroken } of glances) if (isBroken) noteBroken(engine, listed.sessionId);
  if (notes.length === 0) return 0;
  return await inbox.note(notes).then(
    () => notes.length,
    () => 0,
  );
}

const cursorOf = ({ place, sessionId }: InboxEntry): string | null =>
  place && `${place.rank}.${Date.parse(place.at)}.${sessionId}`;

function readCursor(text: string): InboxPage['after'] {
  const [first, ms, sessionId = ''] = text.split('.');
  const rank = ([1, 2, 3, 4] as const).find((each) => String(each) === first);
  return rank && { rank, at: new Date(Number(ms)).toISOString(), sessionId };
}

/** A page of the sessions of an owner. Folds each session of the page. */
export async function overviewOf(owner: OwnerOf, raw: unknown): Promise<OwnerMethodOutput<'overview'>> {
  const { engine, ownerId } = owner;
  const { limit = 50, after, said } = readInput(OWNER_METHODS.overview.input, raw);
  const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
  const glances = await glancesAt(owner, page, said === 'whole');
  for (const { listed, isBroken } of glances) if (isBroken) noteBroken(engine, listed.sessionId);
  return {
    sessions: glances.map(({ glance }) => glance),
    next_after: page.length === limit ? (page.at(-1)?.sessionId ?? null) : null,
  };
}

/** The record of a notice that was delivered. */
export interface Delivery {
  readonly wait_id: string;
  readonly number: number;
  /** Whether the task was still waiting when the delivery ended. False if the task ended during the delivery. */
  readonly unbroken: boolean;
}

/**
 * Called after each write of this process to a session of the owner. `read` returns the notices that must be delivered
 * after that write.
 */
export type NoticeListener = (sessionId: string, read: () => readonly Notice[]) => void;

/** Returns the notices that must be delivered for a session, according to the state at the present head of its log. */
export async function readDueNotices(own: OwnSession): Promise<readonly Notice[]> {
  const { engine, sessionId } = own;
  const state = await ownState(own);
  const presence = presenceOf(engine, await engine.presence.of(sessionId));
  await noteQuiet(engine, state, presence);
  return dueNotices(await standingsOf(own)(state), presence);
}

export async function recordNotice(own: OwnSession, input: Delivery): Promise<void> {
  await runOwn(own, recordDelivery, input);
}

/** Calls `listener` after each write of this process to a session of the owner. Returns a function that removes it. */
export function watchNotices(engine: Engine<SessionState>, ownerId: string, listener: NoticeListener): () => void {
  const onCommitted = ({ state }: Committed<SessionState>): void => {
    if (state.ownerId === ownerId)
      listener(state.sessionId, () => dueNotices(state, presenceOf(engine, engine.presence.ownOf(state.sessionId))));
  };
  const { signals } = engine;
  signals.on('committed', onCommitted);
  return () => signals.off('committed', onCommitted);
}
