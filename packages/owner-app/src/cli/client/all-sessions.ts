import type { Answer, OwnerClient } from '@parley/core/client';
import { pagesOf } from './pages.ts';

const PAGE = 100;

const pageAfter = (after: string) => ({ limit: PAGE, ...(after && { after }) });

/** A session with its movers and its tasks. */
export type OverviewSession = Answer<'overview'>['sessions'][number];

/**
 * Reads every page of the overview, newest session first.
 *
 * @param from id of the session after which to begin
 */
export async function* overviewSessions(client: OwnerClient, from = ''): AsyncGenerator<OverviewSession> {
  for await (const page of pagesOf((after) => client.call('overview', pageAfter(after)), { from }))
    yield* page.sessions;
}

/** Reads every page of the list of sessions, newest first. */
export async function* listedSessions(client: OwnerClient): AsyncGenerator<Answer<'listSessions'>['sessions'][number]> {
  for await (const page of pagesOf((after) => client.call('listSessions', pageAfter(after)))) yield* page.sessions;
}

/** The ids of all sessions of the owner, sorted. */
export async function sessionIds(client: OwnerClient): Promise<string[]> {
  const ids: string[] = [];
  for await (const { session_id } of listedSessions(client)) ids.push(session_id);
  return ids.toSorted();
}
