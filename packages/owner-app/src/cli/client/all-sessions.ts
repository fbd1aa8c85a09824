import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { recordsIn, textIn } from '../../transcript/message.ts';
import { pagesOf } from './pages.ts';
import type { Json } from './request.ts';
import type { RouteCaller } from './route-caller.ts';

const PAGE = 100;

/**
 * Reads every page of a list of sessions, newest first. The sessions of `overview` have more members than those of
 * `listSessions`.
 *
 * @param from id of the session after which to begin
 */
export async function* allSessions(
  client: RouteCaller,
  list: 'overview' | 'listSessions',
  from = '',
): AsyncGenerator<Json> {
  const read = (after: string) =>
    client.call(OWNER_ROUTES[list], { input: { limit: PAGE, ...(after ? { after } : {}) } });
  for await (const page of pagesOf(read, { from })) yield* recordsIn(page, 'sessions');
}

/** The ids of all sessions of the owner, sorted. */
export async function sessionIds(client: RouteCaller): Promise<string[]> {
  const ids: string[] = [];
  for await (const session of allSessions(client, 'listSessions')) ids.push(textIn(session, 'session_id'));
  return ids.toSorted();
}
