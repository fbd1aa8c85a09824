import type { OwnerClient } from '@parley/core/client';

/** The id of the person whose owner key the command uses. */
export const myId = async (client: OwnerClient): Promise<string> => (await client.call('whoAmI')).id;
