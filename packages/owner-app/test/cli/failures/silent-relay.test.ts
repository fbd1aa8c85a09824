import { afterEach, expect, test, vi } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { joinedAgents, turn } from '../../agent/joined.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
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
  relay.freeze();
  await expect
    .poll(() => passing(() => terminal.errors()), { interval: 5 })
    .toBe(
      `parley: connection lost, trying again (The answer of ${relay.url} broke off (no byte for 45 seconds). Try again.)`,
    );
  await owner().end(id, { end_reason: 'CANCELLED' });
  await expect.poll(() => passing(() => exit), { interval: 5 }).toBe(EXIT.OK);
  expect(terminal.output().match(/starts the session/g)).toHaveLength(1);
});
