import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import type { Glance, Overview } from '../api/types.ts';
import { latestRead, latestReads } from './latest-read.ts';

/** Milliseconds between two reads of the pages after the first page. */
const BEHIND_MS = 30_000;
/** Number of sessions on each page except the first. It is the maximum that the service allows. */
const PAGE = 100;

/** All sessions that were read, newest first. Null before the first read. */
export const sessions = signal<readonly Glance[] | null>(null);
/** Whether all pages of sessions were read. */
export const isComplete = signal(false);
export const overviewError = signal<ApiError | null>(null);

let behindReadAt = Number.NEGATIVE_INFINITY;

const readLatest = latestReads(overviewError);
const beginReadBehind = latestRead();
/** The first page of the latest read. */
let firstPage: readonly Glance[] = [];

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
    if (next_after !== null && (isWhole || Date.now() - behindReadAt > BEHIND_MS)) await readBehind(next_after);
  });

async function readBehind(cursor: string): Promise<void> {
  behindReadAt = Date.now();
  const isLatest = beginReadBehind();
  const read: Glance[] = [];
  for (let after: string | null = cursor; after !== null; ) {
    const page: Overview = await call('overview', { after, limit: PAGE });
    if (!isLatest()) return;
    read.push(...page.sessions);
    after = page.next_after;
    // During the first read, each page is shown when it arrives. Later, all pages are shown together.
    if (!isComplete.value) sessions.value = joinPages(firstPage, read);
  }
  batch(() => {
    sessions.value = joinPages(firstPage, read);
    isComplete.value = true;
  });
}

/** Joins the first page and the later pages, which may be older and then repeat sessions of the first page. */
export function joinPages(first: readonly Glance[], later: readonly Glance[]): readonly Glance[] {
  const ids = new Set(first.map(({ session_id }) => session_id));
  return [...first, ...later.filter(({ session_id }) => !ids.has(session_id))];
}

/** Removes an erased session from the list. */
export function forgetSession(sessionId: string): void {
  sessions.value = sessions.value?.filter(({ session_id }) => session_id !== sessionId) ?? null;
}
