import type { AgentClient } from '@parley/core/client';
import { createAgentClient } from '../agent/agent-client.ts';
import { redeemCode } from '../connect/redeem.ts';

/** Redeems an invitation code, and calls tools over MCP with its token. */
export async function joinByMcp(url: string, code: string): Promise<AgentClient['call']> {
  const { token } = await redeemCode({ code, clientType: 'parley-demo', url });
  return createAgentClient(url, token).call;
}
