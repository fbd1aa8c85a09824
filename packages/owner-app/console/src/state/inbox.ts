import type { OwnerOutput, SessionCallName, SessionInput } from '@parley/core/client';
import { batch, computed, effect, signal } from '@preact/signals';
import { countToSettle, inboxOf } from '../../../src/text/inbox.ts';
import { partParked } from '../../../src/text/stopped-sessions.ts';
import type { ApiError } from '../api/api-error.ts';
import { actOnSession, call, isSignedIn, limitedUntil } from '../api/client.ts';
import type { Glance, Inbox, SessionView } from '../api/types.ts';
import { announceCall } from './announced.ts';
import { latestRead, latestReads } from './latest-read.ts';
import { forgetSession, joinPages, readNeededSessions } from './overview.ts';

const POLL_MS = 5_000;
/** Milliseconds between two reads of the pages after the first page. */
const BEHIND_MS = 30_000;
/** Number of sessions on each page. It is the maximum that the service allows. */
const PAGE = 100;

const first = signal<Inbox | null>(null);
/** The sessions on the pages after the first page. */
const behind = signal<readonly Glance[]>([]);
/** Whether all pages have been read. */
export const isInboxComplete = signal(false);
export const inboxError = signal<ApiError | null>(null);

const readLatest = latestReads(inboxError);
const beginReadBehind = latestRead();

let behindReadAt = Number.NEGATIVE_INFINITY;

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
  readLatest(async (isLatest) => {
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
    if (page.next_after !== null && (isWhole || Date.now() - behindReadAt > BEHIND_MS))
      await readBehind(page.next_after);
  });

async function readBehind(cursor: string): Promise<void> {
  behindReadAt = Date.now();
  const isLatest = beginReadBehind();
  const read: Glance[] = [];
  for (let after: string | null = cursor; after !== null; ) {
    const page: Inbox = await call('inbox', { after, limit: PAGE });
    if (!isLatest()) return;
    read.push(...page.sessions);
    after = page.next_after;
  }
  batch(() => {
    behind.value = read;
    isInboxComplete.value = true;
  });
}

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
  readLatest(async (isLatest) => {
    const page = first.value;
    const known = waiting.value?.find((glance) => glance.session_id === session_id);
    if (!page || !known) return page && waits.length === 0 ? undefined : readInbox(true);
    isLatest();
    const isLatestBehind = beginReadBehind();
    isLatestBehind();
    behindReadAt = Number.NEGATIVE_INFINITY;
    const { status, phase } = state;
    const changed = (glances: readonly Glance[]): Glance[] =>
      glances.map((glance) => {
        if (glance.session_id !== session_id) return glance;
        const { left_out: _, ...kept } = glance;
        return { ...kept, status, phase, movers, duties, since, waits };
      });
    const tasks = page.tasks - countToSettle(known) + countToSettle({ status, waits });
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
  forgetSession(sessionId);
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
