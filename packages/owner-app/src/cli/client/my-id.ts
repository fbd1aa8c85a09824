import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { textIn } from '../../transcript/message.ts';
import type { RouteCaller } from './route-caller.ts';

/** The id of the person whose owner key the command uses. */
export const myId = async (client: Pick<RouteCaller, 'call'>): Promise<string> =>
  textIn(await client.call(OWNER_ROUTES.whoAmI), 'id');
