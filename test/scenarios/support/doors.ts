import type { Parley } from '@parley/core';
import { createAgentClient, overHttp, redeem, type Seat } from '@parley/core/client';
import { connectOverMcp, type McpAgent } from '@parley/example-mcp-agents';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import type { CallTool } from '@parley/missions';

export interface Door {
  redeem(code: string): Promise<Seat>;
  enter(pass: Seat): Promise<CallTool>;
  close(): Promise<void>;
}

export type DoorKind = 'in process' | 'REST' | 'MCP';

const CLIENT_TYPE = 'scenario';
const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** Calls tools over REST. Sends no call again, so that each failure is seen. */
export const restAgent = (url: string, seat: Seat): CallTool =>
  createAgentClient(overHttp(url, { retries: 0 }), seat).call as CallTool;

export const openDoor = (kind: DoorKind, parley: Parley): Promise<Door> => DOORS[kind](parley);

const DOORS: Readonly<Record<DoorKind, (parley: Parley) => Promise<Door>>> = {
  'in process': async (parley) => ({
    redeem: (code) => parley.redeem({ code, client_type: CLIENT_TYPE }),
    enter: async ({ token }) => parley.agent(token).call as CallTool,
    close: async () => {},
  }),

  async REST(parley) {
    const host = createHttpHost(parley);
    const serving = await serve(host.handler, { ...LOOPBACK, parley });
    const url = `${serving.url}${host.prefix}`;
    return {
      redeem: (code) => redeem(overHttp(url), { code, client_type: CLIENT_TYPE }),
      enter: async (pass) => restAgent(url, pass),
      close: () => serving.close(),
    };
  },

  async MCP(parley) {
    const rest = createHttpHost(parley);
    const mcp = createMcpHost(parley);
    const serving = await serve(
      (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
      { ...LOOPBACK, parley },
    );
    const agents: McpAgent[] = [];
    return {
      redeem: (code) => redeem(overHttp(`${serving.url}${rest.prefix}`), { code, client_type: CLIENT_TYPE }),
      async enter({ token }) {
        const agent = await connectOverMcp(`${serving.url}${mcp.prefix}`, token);
        agents.push(agent);
        return agent.call as CallTool;
      },
      async close() {
        await Promise.all(agents.map((agent) => agent.close()));
        await serving.close();
      },
    };
  },
};
