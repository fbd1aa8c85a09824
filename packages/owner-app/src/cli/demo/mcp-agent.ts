import type { CallByName } from '@parley/missions';
import { createAgentClient } from '../agent/agent-client.ts';
import { redeemCode } from '../connect/redeem.ts';

/** Redeems an invitation code, and calls tools over MCP with its token. */
export async function joinByMcp(url: string, code: string): Promise<CallByName> {
  const { token } = await redeemCode({ code, clientType: 'parley-demo', url });
  const client = createAgentClient(url, token);
  return (tool, input) => client.call(tool, input);
}
