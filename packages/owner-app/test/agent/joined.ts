import { createMemoryStorage } from '@parley/core';
import { runCli } from '../../src/cli/program.ts';
import { type FakeTerminal, fakeTerminal } from '../fake-terminal.ts';
import { type RunningApp, runApp, SESSION } from '../running-app.ts';

type Role = 'agent_a' | 'agent_b' | 'moderator';

/** A turn with only a summary and a next step. */
export const turn = (summary: string) => ({ summary, next_step: 'Go on.' });

/** A started session with both builders, on a server that can be stopped and started again on the same port. */
export async function joinedAgents() {
  const storage = createMemoryStorage();
  let app = await runApp({}, { storage });
  const { url } = app;
  const owner = () => app.parley.owner('owner');
  const { session_id: id } = await owner().createSession(SESSION);
  const code = async (role: Role): Promise<string> => (await owner().invite(id, { role })).code;
  const tokenOf = async (role: Role): Promise<string> => (await app.parley.redeem({ code: await code(role) })).token;
  const tokens = { agent_a: await tokenOf('agent_a'), agent_b: await tokenOf('agent_b') };
  await owner().start(id);
  return {
    ...{ url, id, owner, code, tokenOf, tokens },
    app: (): RunningApp => app,
    stop: () => app.close(),
    async start() {
      app = await runApp({}, { storage, port: Number(new URL(url).port) });
    },
    call: (role: keyof typeof tokens, tool: string, input: object = {}) => callTool(url, tokens[role], tool, input),
    /** Runs `parley` with the token of a role. */
    parley: (role: keyof typeof tokens, ...args: readonly string[]) =>
      runAs({ PARLEY_URL: url, PARLEY_TOKEN: tokens[role] }, args),
  };
}

export interface Running {
  readonly terminal: FakeTerminal;
  readonly exit: Promise<number>;
}

export function runAs(environment: Record<string, string>, args: readonly string[]): Running {
  const terminal = fakeTerminal(environment);
  return { terminal, exit: runCli(args, terminal) };
}

async function callTool(url: string, token: string, name: string, input: object) {
  const response = await fetch(`${url}/api/public/mcp`, {
    method: 'POST',
    // Closes the connection after each request, because a reused connection could lead to a server that was stopped.
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const { result } = JSON.parse(await response.text());
  if (result.isError) throw new Error(`${name}: ${result.structuredContent.message}`);
  return result.structuredContent;
}
