import { CHANGING_COLUMNS, type OwnerOutput, type SessionCallName, type SessionInput } from '@parley/core/client';
import { batch, computed, effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { countToSettle, inboxOf, partParked } from '../../../src/text/inbox.ts';
import type { ApiError, Glance, Inbox, SessionView } from '../api/answers.ts';
import { actOnSession, call, isSignedIn, limitedUntil } from '../api/client.ts';
import { announceCall } from './announced.ts';
import { latestRead, latestReads } from './latest-read.ts';

/** Milliseconds between two reads of the pages after the first page. */
const BEHIND_MS = 30_000;
/** Number of sessions on a page. It is the maximum that the service allows. The first page of all sessions is shorter. */
const PAGE = 100;

type Page = Pick<Inbox, 'next_after'> & { readonly sessions: readonly Glance[] };

/**
 * Makes a reader of the pages after the first page.
 *
 * @param show shows the sessions that one read has found so far, and gets whether these are all
 */
function pagesBehind(
  readPage: (after: string) => Promise<Page>,
  show: (found: readonly Glance[], all: boolean) => void,
) {
  const begin = latestRead();
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    /** Reads the pages from a cursor on if `isWhole` is true, or if their last read was more than 30 seconds ago. */
    async read(cursor: string | null, isWhole: boolean): Promise<void> {
      if (cursor === null || (!isWhole && Date.now() - readAt <= BEHIND_MS)) return;
      readAt = Date.now();
      const isLatest = begin();
      const found: Glance[] = [];
      for (let after: string | null = cursor; after !== null; ) {
        const page: Page = await readPage(after);
        if (!isLatest()) return;
        found.push(...page.sessions);
        after = page.next_after;
        batch(() => show(found, after === null));
      }
    },
    /** Ignores the answers of reads that are in progress, and reads the pages again at the next opportunity. */
    forget(): void {
      begin()();
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** All sessions that were read, newest first. Null before the first read. */
export const sessions = signal<readonly Glance[] | null>(null);
/** Whether all pages of sessions were read. */
export const isComplete = signal(false);
export const overviewError = signal<ApiError | null>(null);

const readLatest = latestReads(overviewError);
/** The first page of the latest read. */
let firstPage: readonly Glance[] = [];

const sessionsBehind = pagesBehind(
  (after) => call('overview', { after, limit: PAGE }),
  (found, all) => {
    // During the first read, each page is shown when it arrives. Later, all pages are shown together.
    if (all || !isComplete.value) sessions.value = joinPages(firstPage, found);
    if (all) isComplete.value = true;
  },
);

/** Number of components that show the list of sessions. */
let readers = 0;

/** Reads the list of sessions while the calling component is on the page. */
export function useSessions(): void {
  useEffect(() => {
    readers += 1;
    void readOverview();
    return () => {
      readers -= 1;
    };
  }, []);
}

/**
 * Milliseconds between two reads of the list of sessions by `useSessionsSeldom`. Five minutes suffice, because its caller
 * shows sessions in which no agent has written for an hour or longer.
 */
const SELDOM_MS = 300_000;

/**
 * Reads the list of sessions now and every five minutes while the calling component is on the page, but not after each
 * event, because the answer is large.
 */
export function useSessionsSeldom(): void {
  useEffect(() => {
    void readOverview();
    const timer = setInterval(() => void readOverview(), SELDOM_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Reads the list of sessions again if a component shows it. `isWhole` as in `readOverview`. */
export const readNeededSessions = async (isWhole = false): Promise<void> =>
  readers > 0 ? readOverview(isWhole) : undefined;

/**
 * Reads the first page of sessions. Reads the later pages too if `isWhole` is true, or if their last read was more than
 * 30 seconds ago.
 */
const readOverview = (isWhole = false): Promise<void> =>
  readLatest(async (isLatest) => {
    const { sessions: read, next_after } = await call('overview');
    if (!isLatest()) return;
    firstPage = read;
    const older = (sessions.value ?? []).filter(({ created_at }) => created_at < (read.at(-1)?.created_at ?? ''));
    batch(() => {
      sessions.value = [...read, ...(next_after === null ? [] : older)];
      if (next_after === null) isComplete.value = true;
    });
    await sessionsBehind.read(next_after, isWhole);
  });

/** Joins the first page and the later pages, which may be older and then repeat sessions of the first page. */
function joinPages(first: readonly Glance[], later: readonly Glance[]): readonly Glance[] {
  const ids = new Set(first.map(({ session_id }) => session_id));
  return [...first, ...later.filter(({ session_id }) => !ids.has(session_id))];
}

const POLL_MS = 5_000;

const first = signal<Inbox | null>(null);
/** The sessions on the pages after the first page. */
const behind = signal<readonly Glance[]>([]);
/** Whether all pages have been read. */
export const isInboxComplete = signal(false);
export const inboxError = signal<ApiError | null>(null);

const readLatestInbox = latestReads(inboxError);
const inboxBehind = pagesBehind(
  (after) => call('inbox', { after, limit: PAGE }),
  (found, all) => {
    if (!all) return;
    behind.value = found;
    isInboxComplete.value = true;
  },
);

/** The sessions in which something waits for the owner, the most urgent first. Null before the first read. */
export const waiting = computed<readonly Glance[] | null>(
  () => first.value && joinPages(first.value.sessions, behind.value),
);

/** The tasks that wait for the owner, by session, the most urgent session first. */
export const inbox = computed(() => {
  const groups = inboxOf(waiting.value ?? []);
  return { ...groups, ...partParked(groups.parked) };
});

/** Number of tasks that wait for the owner. Tasks in sessions that are DRAFT or PAUSED are not counted. */
export const waitingCount = computed(() => first.value?.tasks ?? 0);

/**
 * Reads the first page of the inbox. Reads the later pages too if `isWhole` is true, or if their last read was more
 * than 30 seconds ago.
 */
export const readInbox = (isWhole = false): Promise<void> =>
  readLatestInbox(async (isLatest) => {
    let page = await call('inbox', { limit: PAGE });
    // After an upgrade, the service reads some sessions with each call.
    for (let left = Number.POSITIVE_INFINITY; page.unread > 0 && page.unread < left; ) {
      left = page.unread;
      page = await call('inbox', { limit: PAGE });
    }
    if (!isLatest()) return;
    batch(() => {
      first.value = page;
      if (page.next_after === null) behind.value = [];
      if (page.next_after === null) isInboxComplete.value = true;
    });
    await inboxBehind.read(page.next_after, isWhole);
  });

/**
 * Makes a write on a session whose events the page does not receive, and shows its effect in the inbox.
 *
 * @throws ApiError if the call is refused
 */
export async function actOn<N extends SessionCallName>(
  sessionId: string,
  name: N,
  input?: SessionInput<N>,
): Promise<OwnerOutput<N>> {
  const answer = await actOnSession(sessionId, name, input).catch(async (thrown: unknown) => {
    await readInbox(true);
    throw thrown;
  });
  await (answer.after ? showInInbox(answer.after.view) : readInbox(true));
  await announceCall(answer.after);
  return answer;
}

/**
 * Shows a session in the inbox as a write has left it. Answers of reads that began before are not shown, because they can be older.
 * A session in which something waits now, but nothing waited before, is added by a read.
 */
export const showInInbox = ({ session_id, state, movers, duties, since, waits }: SessionView): Promise<void> =>
  readLatestInbox(async (isLatest) => {
    const page = first.value;
    const known = waiting.value?.find((glance) => glance.session_id === session_id);
    if (!page || !known) return page && waits.length === 0 ? undefined : readInbox(true);
    isLatest();
    inboxBehind.forget();
    const listed = Object.fromEntries(CHANGING_COLUMNS.map(({ member }) => [member, state[member]]));
    const changed = (glances: readonly Glance[]): Glance[] =>
      glances.map((glance) => {
        if (glance.session_id !== session_id) return glance;
        const { left_out: _, ...kept } = glance;
        return { ...kept, ...listed, movers, duties, since, waits };
      });
    const tasks = page.tasks - countToSettle(known) + countToSettle({ status: state.status, waits });
    batch(() => {
      first.value = { ...page, sessions: changed(page.sessions), tasks };
      behind.value = changed(behind.value);
    });
  });

/** Removes an erased session from the inbox and from the list of sessions. */
export function forgetErased(sessionId: string): void {
  const isLeft = ({ session_id }: Glance): boolean => session_id !== sessionId;
  if (first.value) first.value = { ...first.value, sessions: first.value.sessions.filter(isLeft) };
  behind.value = behind.value.filter(isLeft);
  sessions.value = sessions.value?.filter(isLeft) ?? null;
}

/** Reads the inbox regularly while the page is visible, and the list of sessions while a part of the page shows it. */
export function followInbox(): void {
  const look = (): void => {
    if (isSignedIn.value === false || document.visibilityState !== 'visible' || limitedUntil.peek() > 0) return;
    void readInbox();
    void readNeededSessions();
  };
  setInterval(look, POLL_MS);
  document.addEventListener('visibilitychange', look);
  // Reads the inbox when the page is opened, and when another tab has signed in, which sets `isSignedIn` to null.
  if (isSignedIn.peek() === true) void readInbox();
  effect(() => {
    if (isSignedIn.value === null) void readInbox();
  });
}
