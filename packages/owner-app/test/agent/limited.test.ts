import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { waitForState } from '../../src/cli/agent/wait.ts';
import { passingPauseMs } from '../../src/cli/client/passing-pause.ts';
import { CliError, EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { listen } from '../listen.ts';
import { newFolder } from '../new-folder.ts';
import { joinedAgents, runAs } from './joined.ts';
import { machine } from './machine.ts';

interface Limit {
  /** Number of calls of tools that are refused before the others are passed on. */
  readonly refused: number;
  readonly body?: string;
  /** The header Retry-After. Without it, the refusal says no pause. */
  readonly after?: string;
}

/** A proxy before a session's server, which refuses the first calls of tools with 429. */
async function limited({ refused, body = '{"error":"Too Many Requests"}', after: said }: Limit) {
  const joined = await joinedAgents();
  let calls = 0;
  const answer = async (request: IncomingMessage) => {
    const sent = await text(request);
    if (request.url === '/api/public/mcp') calls += 1;
    if (request.url === '/api/public/mcp' && calls <= refused)
      return new Response(body, { status: 429, headers: said === undefined ? {} : { 'retry-after': said } });
    const { authorization = '' } = request.headers;
    return await fetch(`${joined.url}${request.url}`, { method: 'POST', headers: { authorization }, body: sent });
  };
  const server = createServer(async (request, response) => {
    const answered = await answer(request);
    const after = answered.headers.get('retry-after');
    response.writeHead(answered.status, after === null ? {} : { 'retry-after': after });
    response.end(await answered.text());
  });
  const url = await listen(server);
  return { ...joined, url, calls: () => calls };
}

const JSON_WITH_PAUSE = { refused: 1, after: '1' };

describe('while a proxy refuses calls with 429', () => {
  test('parley wait says so once, waits and goes on, with or without Retry-After, with JSON or a page', async () => {
    const limits = [{ refused: 2 }, { refused: 2, after: '1' }, { ...JSON_WITH_PAUSE, body: '<html>Slow down</html>' }];
    const waits = await Promise.all(
      limits.map(async (limit) => {
        const { url, tokens, calls } = await limited(limit);
        const { terminal, exit } = runAs({ PARLEY_URL: url, PARLEY_TOKEN: tokens.agent_a }, ['wait']);
        return { code: await exit, terminal, calls: calls() };
      }),
    );
    expect(waits.map(({ code, calls }) => [code, calls])).toEqual([
      [EXIT.OK, 3],
      [EXIT.OK, 3],
      [EXIT.OK, 2],
    ]);
    for (const { terminal } of waits) {
      expect(terminal.output()).toContain('Next: post_turn: ');
      expect(terminal.errors().split('\n')).toEqual([expect.stringMatching(/^parley: trying again: .*(429|Too Many)/)]);
    }
  });

  test('parley hook says so, and does not take the service for away', async () => {
    // Two pauses of a second are longer than the time for which the service may be away.
    const { url, tokens } = await limited({ refused: 2, after: '1' });
    const environment = { PARLEY_URL: url, PARLEY_TOKEN: tokens.agent_a, HOME: await newFolder() };
    const terminal = { ...fakeTerminal(environment), input: async () => '{"hook_event_name":"Stop"}' };
    expect(await runCli(['hook', '--away', '1'], terminal)).toBe(EXIT.OK);
    expect(JSON.parse(terminal.output())).toMatchObject({ decision: 'block' });
    expect(terminal.errors()).toMatch(/^parley: trying again: .*(429|Too Many)/);
  });

  test('parley hook waits at the start of a conversation, and gives the task then', async () => {
    const { url, tokens } = await limited(JSON_WITH_PAUSE);
    const environment = { PARLEY_URL: url, PARLEY_TOKEN: tokens.agent_a, HOME: await newFolder() };
    const terminal = { ...fakeTerminal(environment), input: async () => '{"hook_event_name":"SessionStart"}' };
    expect(await runCli(['hook'], terminal)).toBe(EXIT.OK);
    expect([terminal.output(), terminal.errors()]).toEqual([expect.stringContaining('You are agent_a in'), '']);
  });

  test('parley run says so, waits and starts the client', async () => {
    const agent = await machine(await limited(JSON_WITH_PAUSE), 'agent_a');
    const run = agent.run('lazy', agent.code, '--max-runs', '1');
    expect(await run.ended).toBe(EXIT.TIMED_OUT);
    expect(run.out()).toMatch(/agent_a: trying again: .*(429|Too Many)/);
    expect(await agent.prompts()).toHaveLength(1);
  });
});

test('a pause of many years is not cut to none', async () => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw new CliError(EXIT.REFUSED, 'Later.', { retry_after_seconds: 99_999_999_999 }, 429);
  };
  const signal = AbortSignal.timeout(500);
  await waitForState(
    { url: 'http://127.0.0.1', call, post: call },
    { isReady: () => true, limitMs: Number.POSITIVE_INFINITY, onAway: () => undefined, signal },
  );
  expect(calls).toBe(1);
});

test.each([
  [90, 90_000],
  [99_999_999_999, 3_600_000],
])('a pause of %s seconds is kept up to an hour', (seconds, ms) => {
  const refusal = new CliError(EXIT.REFUSED, 'Later.', { retry_after_seconds: seconds }, 429);
  expect(passingPauseMs(refusal, 1)).toBe(ms);
});

test('parley hook does not wait at the start of a conversation for longer than the hook has time', async () => {
  const { url, tokens, calls } = await limited({ refused: 9, after: '26' });
  const environment = { PARLEY_URL: url, PARLEY_TOKEN: tokens.agent_a, HOME: await newFolder() };
  const terminal = { ...fakeTerminal(environment), input: async () => '{"hook_event_name":"SessionStart"}' };
  expect(await runCli(['hook'], terminal)).toBe(EXIT.OK);
  expect([terminal.output(), terminal.errors()]).toEqual(['', expect.stringContaining('Too Many')]);
  expect(calls()).toBeLessThan(3);
});
