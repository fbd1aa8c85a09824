import type { Parley } from '@parley/core';
import { overHttp, redeem } from '@parley/core/client';
import { connectOverMcp } from '@parley/example-mcp-agents';
import type { CallTool, Invitation } from '@parley/missions';
import { onTestFinished } from 'vitest';

/** Redeems an invitation over HTTP. The returned function calls tools over MCP until the test ends. */
export const agentsAt =
  (url: string) =>
  async ({ code }: Invitation): Promise<CallTool> => {
    const { token } = await redeem(overHttp(`${url}/api/public/agent`), { code, client_type: 'browser-test' });
    const agent = await connectOverMcp(`${url}/api/public/mcp`, token);
    onTestFinished(() => agent.close());
    return agent.call as CallTool;
  };

export const agentsIn =
  (parley: Parley) =>
  async ({ code }: Invitation): Promise<CallTool> =>
    parley.agent((await parley.redeem({ code })).token).call as CallTool;
