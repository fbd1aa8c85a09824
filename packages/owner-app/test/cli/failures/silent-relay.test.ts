import { createAgentClient, overHttp } from '@parley/core/client';
import { afterEach, expect, test, vi } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { joinedAgents, runAs, turn } from '../../agent/joined.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';
import { openRelay } from '../../relay.ts';
import { KEY } from '../../running-app.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Replaces the time limits of requests by limits that the test lets end. */
function heldLimits() {
  const held: { readonly ms: number; readonly abort: AbortController }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const abort = new AbortController();
    held.push({ ms, abort });
    return abort.signal;
  });
  return {
    has: (ms: number): boolean => held.some((limit) => limit.ms === ms),
    /** Lets the limits end that are at most as long. */
    endUpTo(mostMs: number) {
      for (const { ms, abort } of held.splice(0))
        if (ms <= mostMs) abort.abort(new DOMException('The limit is over.', 'TimeoutError'));
    },
  };
}

type Relayed = Awaited<ReturnType<typeof relayed>>;

/** A session, and a relay before its server. */
async function relayed() {
  const joined = await joinedAgents();
  const relay = await openRelay(joined.url);
  const environment = { PARLEY_URL: relay.url, PARLEY_OWNER_KEY: KEY };
  const terminal = fakeTerminal(environment);
  return { ...joined, relay, terminal, run: (...args: readonly string[]) => runCli(args, terminal) };
}

test('parley waiting --wait through a relay that goes silent looks again after 30 seconds', async () => {
  const { relay, terminal, run, call, id } = await relayed();
  const questions = [{ text: 'Which port?', to: 'owner', blocking: true }];
  await call('agent_a', 'post_turn', { ...turn('The shop side.'), questions });
  const limits = heldLimits();
  const fetched = vi.spyOn(globalThis, 'fetch');
  fetched.mockImplementationOnce(async (_url, init) => {
    // As a request whose connection is frozen before its first byte arrives.
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    );
  });
  const done = run('waiting', id, '--wait', '--exit-code');
  await expect.poll(() => limits.has(30_000)).toBe(true);
  await expect.poll(() => fetched.mock.calls.length).toBe(1);
  limits.endUpTo(30_000);
  expect(await done).toBe(EXIT.DUE);
  expect(terminal.errors()).toContain(`parley: connection lost, trying again (No server answers at ${relay.url}`);
  expect(terminal.output()).toContain('Answer q_1');
});

test('parley watch through a relay that goes silent reads again after 45 seconds, from the last event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { relay, terminal, run, owner, id } = await relayed();
  const done = run('watch', id);
  let exit: number | undefined;
  void done.then((code) => {
    exit = code;
  });
  const passing = async <Value>(value: () => Value): Promise<Value> => {
    await vi.advanceTimersByTimeAsync(1_000);
    return value();
  };
  await expect.poll(() => terminal.output()).toContain('starts the session');
  relay.freeze(/\/events/);
  await expect
    .poll(() => passing(() => terminal.errors()), { interval: 5 })
    .toBe(
      `parley: connection lost, trying again (The answer of ${relay.url} broke off (no byte for 45 seconds). Try again.)`,
    );
  await owner().end(id, { end_reason: 'CANCELLED' });
  await expect.poll(() => passing(() => exit), { interval: 5 }).toBe(EXIT.OK);
  expect(terminal.output().match(/starts the session/g)).toHaveLength(1);
});

const LONG_POLL = /"wait":25|wait=25/;

/** What starts a long read of agent_b through the relay, and what it says when it reads again and when it has an answer. */
const READS = {
  'parley wait': ({ tokens, relay }: Relayed) => {
    const { terminal, exit } = runAs({ PARLEY_URL: relay.url, PARLEY_TOKEN: tokens.agent_b }, ['wait']);
    return { says: terminal.errors, done: exit, answer: terminal.output };
  },
  'parley hook': async ({ tokens, relay }: Relayed) => {
    const environment = { PARLEY_URL: relay.url, PARLEY_TOKEN: tokens.agent_b, HOME: await newFolder() };
    const terminal = { ...fakeTerminal(environment), input: async () => '{"hook_event_name":"Stop"}' };
    return { says: terminal.errors, done: runCli(['hook'], terminal), answer: terminal.output };
  },
  'parley run': async ({ relay, code }: Relayed) => {
    const terminal = fakeTerminal({ HOME: await newFolder(), PATH: process.env.PATH ?? '' });
    const flags = ['--command', 'false', '--folder', await newFolder(), '--url', relay.url, '--max-runs', '1'];
    const done = runCli(['run', await code('agent_b'), ...flags], terminal);
    return { says: () => terminal.output() + terminal.errors(), done, answer: () => terminal.output() };
  },
  'a client of @parley/core/client': ({ id, tokens, relay }: Relayed) => {
    const transport = overHttp(`${relay.url}/api/public/agent`);
    const seat = { session_id: id, token: tokens.agent_b, role: 'agent_b' } as const;
    let answer = '';
    const done = createAgentClient(transport, seat)
      .call('wait_for_my_turn', { wait: 25 })
      .then((state) => {
        answer = JSON.stringify(state);
      });
    return { says: undefined, done, answer: () => answer };
  },
} as const;

test.each(Object.entries(READS))(
  '%s through a relay that goes silent reads again after 45 seconds, and gets what came meanwhile',
  async (_what, start) => {
    const all = await relayed();
    const limits = heldLimits();
    const { says, done, answer } = await start(all);
    // The long-poll has begun: the server has been asked, and does not answer.
    await expect.poll(() => all.relay.carries(LONG_POLL)).toBe(true);
    await expect.poll(() => limits.has(45_000)).toBe(true);
    all.relay.freeze(LONG_POLL);
    await all.call('agent_a', 'post_turn', turn('The shop side.'));
    limits.endUpTo(45_000);
    if (says) await expect.poll(says).toContain('trying again');
    await done;
    expect(answer()).toContain('post_turn');
  },
);
