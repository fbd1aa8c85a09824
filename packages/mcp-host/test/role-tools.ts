import { type Agent, createMemoryStorage, createParley } from '@parley/core';
import { joinAs, SESSION } from '../../../test/support/join-session.ts';
import { listTools, type ToolListing } from '../src/tool-listing.ts';

/** The tools that core has for a role, as `tools/list` shows them. */
export async function toolsOf(role: Agent): Promise<readonly ToolListing[]> {
  const parley = await createParley({ storage: createMemoryStorage() });
  const owner = parley.owner('team');
  const { session_id } = await owner.createSession(SESSION);
  const token = await joinAs({ parley, owner }, session_id, role);
  const { tools } = await parley.admit({ authorization: [`Bearer ${token}`], address: '127.0.0.1' });
  await parley.close();
  return listTools(tools);
}
