import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { recordsIn, textIn } from '../../transcript/message.ts';
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
  for (let after = from; ; ) {
    const page = await client.call(OWNER_ROUTES[list], { input: { limit: PAGE, ...(after ? { after } : {}) } });
    yield* recordsIn(page, 'sessions');
    after = textIn(page, 'next_after');
    if (!after) return;
  }
}

/** The ids of all sessions of the owner, sorted. */
export async function sessionIds(client: RouteCaller): Promise<string[]> {
  const ids: string[] = [];
  for await (const session of allSessions(client, 'listSessions')) ids.push(textIn(session, 'session_id'));
  return ids.toSorted();
}
