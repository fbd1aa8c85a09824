import { type Agent, createMemoryStorage, createParley } from '@parley/core';
import { listTools, type ToolListing } from '../src/tool-listing.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

/** The tools that the core gives a role, as `tools/list` shows them. */
export async function toolsOf(role: Agent): Promise<readonly ToolListing[]> {
  const parley = await createParley({ storage: createMemoryStorage() });
  const owner = parley.owner('team');
  const { session_id } = await owner.createSession(SESSION);
  const { code } = await owner.invite(session_id, { role });
  const { token } = await parley.redeem({ code });
  const { tools } = await parley.admit({ authorization: [`Bearer ${token}`], address: '127.0.0.1' });
  await parley.close();
  return listTools(tools);
}
