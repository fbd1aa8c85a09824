import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DRIVERS, shellDriver } from '../../src/cli/run/drivers.ts';
import { joinedAgents, turn } from './joined.ts';
import { machine } from './machine.ts';

describe('parley run', () => {
  test('plays two agents to the end, with one start of the client for each turn', async () => {
    const joined = await joinedAgents();
    const { owner, id, app } = joined;
    const [a, b] = [await machine(joined, 'agent_a'), await machine(joined, 'agent_b')];
    const [runA, runB] = [a.run('plays', a.code), b.run('plays', b.code)];
    await expect.poll(async () => (await owner().view(id)).state.turn_index).toBe(20);
    await owner().end(id, { end_reason: 'CANCELLED' });
    expect([await runA.ended, await runB.ended]).toEqual([0, 0]);
    expect(runA.out()).toMatch(/^agent_a of session \w+; output in .*\.log$/m);
    expect(runA.out()).toMatch(/^agent_a: The session has ended\.$/m);
    // After the last turn, the instruction names `elect_contract_author`. The fake client does not call this tool.
    const prompts = (await a.prompts()).filter((prompt) => prompt.includes('Next: post_turn: '));
    expect(prompts).toHaveLength(10);
    expect(prompts[0]).toMatch(/^You are a builder in a Parley session, .*\nNext: post_turn: /s);
    const files = await a.files();
    expect((await stat(files)).mode & 0o777).toBe(0o700);
    const names = await readdir(files);
    expect(names.sort()).toEqual(['output.log', 'progress.json', 'seat.json']);
    for (const name of names) expect((await stat(join(files, name))).mode & 0o777).toBe(0o600);
    const { token } = JSON.parse(await readFile(join(files, 'seat.json'), 'utf8'));
    expect(runA.out() + runA.err()).not.toContain(token);
    expect(app().errors).toEqual([]);
  });

  test('continues with the same command line after the waiting runner was killed', async () => {
    const joined = await joinedAgents();
    const { call, owner, id } = joined;
    const b = await machine(joined, 'agent_b');
    const first = b.run('plays', b.code);
    await first.says(/agent_b: waiting/);
    first.process.kill('SIGKILL');
    await first.ended;
    await call('agent_a', 'post_turn', turn('The shop side.'));
    const second = b.run('plays', b.code);
    await expect.poll(async () => (await owner().view(id)).state.turn_index).toBe(2);
    await owner().end(id, { end_reason: 'CANCELLED' });
    expect(await second.ended).toBe(0);
    expect(await b.prompts()).toHaveLength(1);
  });

  test('waits for the client that a killed runner has left running before it starts another client', async () => {
    const joined = await joinedAgents();
    const { owner, id } = joined;
    const a = await machine(joined, 'agent_a');
    const first = a.run('held', a.code);
    await expect.poll(async () => (await a.prompts()).length).toBe(1);
    first.process.kill('SIGKILL');
    await first.ended;
    const second = a.run('plays');
    await second.says(/agent_a: the client of the previous run is still running/);
    await writeFile(join(a.folder, 'go'), '');
    await second.says(/agent_a: waiting/);
    expect((await owner().view(id)).state.turn_index).toBe(1);
    expect(await a.prompts()).toHaveLength(1);
    await owner().end(id, { end_reason: 'CANCELLED' });
    expect(await second.ended).toBe(0);
  });

  test('tells the client once that its run changed nothing, and ends after three such runs', async () => {
    const joined = await joinedAgents();
    const a = await machine(joined, 'agent_a');
    const running = a.run('lazy', a.code);
    expect(await running.ended).toBe(8);
    const prompts = await a.prompts();
    expect(prompts.map((prompt) => prompt.includes('step before and stopped without making its call.'))).toEqual([
      false,
      true,
      true,
    ]);
    expect(running.err()).toMatch(/^parley: 3 runs in a row changed nothing. The step is still "\d+ post_turn: /m);
    expect(running.err()).toMatch(
      /^The session waits for agent_a\. Read the output in .*\.log, correct the cause, and run parley run again\.$/m,
    );
  });

  test('stops at the limits of runs and of cost', async () => {
    const joined = await joinedAgents();
    const { call } = joined;
    const a = await machine(joined, 'agent_a');
    const first = a.run('plays', a.code, '--max-runs', '1');
    expect(await first.ended).toBe(7);
    expect(first.err()).toContain(
      'parley: --max-runs 1 is reached. This command ends, and the session waits for the agent. To continue, run parley run again with a higher limit.',
    );
    await call('agent_b', 'post_turn', turn('The bank side.'));
    const second = a.run('plays', '--max-cost', '0.5');
    expect(await second.ended).toBe(7);
    expect(second.err()).toContain('--max-cost 0.5 is reached: the client reported 0.50 dollars');
    expect(await a.prompts()).toHaveLength(2);
  });

  test('at SIGINT, ends after the current run of the client, or immediately while it waits', async () => {
    const joined = await joinedAgents();
    const { owner, id } = joined;
    const [a, b] = [await machine(joined, 'agent_a'), await machine(joined, 'agent_b')];
    const waiting = b.run('plays', b.code);
    await waiting.says(/agent_b: waiting/);
    waiting.process.kill('SIGINT');
    expect(await waiting.ended).toBe(0);
    expect(waiting.out()).toContain(`Stopped. To continue, run parley run --folder ${b.folder}`);
    const calling = a.run('held', a.code);
    await expect.poll(async () => (await a.prompts()).length).toBe(1);
    calling.process.kill('SIGINT');
    await writeFile(join(a.folder, 'go'), '');
    expect(await calling.ended).toBe(0);
    expect((await owner().view(id)).state.turn_index).toBe(1);
  });

  test('prints how to renew an invalid token, and continues with the new code', async () => {
    const joined = await joinedAgents();
    const { call, code, owner, id } = joined;
    const b = await machine(joined, 'agent_b');
    const running = b.run('plays', b.code);
    await running.says(/agent_b: waiting/);
    await owner().revoke(id, { role: 'agent_b' });
    await running.says(/agent_b: waiting for a new invitation code/);
    // stderr can arrive later than stdout, because it has a separate pipe.
    await expect.poll(() => running.err()).toContain(`parley invite ${id} --role agent_b`);
    await expect.poll(() => running.err()).toContain(`parley run --code --folder ${b.folder}`);
    const renewal = b.parley('run', '--code', await code('agent_b'));
    expect(await renewal.ended).toBe(0);
    await call('agent_a', 'post_turn', turn('The shop side.'));
    await expect.poll(async () => (await owner().view(id)).state.turn_index).toBe(2);
    await owner().end(id, { end_reason: 'CANCELLED' });
    expect(await running.ended).toBe(0);
  });

  test('continues after a restart of the service', async () => {
    const joined = await joinedAgents();
    const { call, owner, id, stop, start } = joined;
    const b = await machine(joined, 'agent_b');
    const running = b.run('plays', b.code);
    await running.says(/agent_b: waiting/);
    await stop();
    await running.says(/agent_b: trying again: /);
    await start();
    await call('agent_a', 'post_turn', turn('The shop side.'));
    await expect.poll(async () => (await owner().view(id)).state.turn_index).toBe(2);
    await owner().end(id, { end_reason: 'CANCELLED' });
    expect(await running.ended).toBe(0);
  });

  test('refuses a second runner, a missing client and a folder without a run', async () => {
    const joined = await joinedAgents();
    const b = await machine(joined, 'agent_b');
    const nothing = b.run('plays');
    expect(await nothing.ended).toBe(2);
    expect(nothing.err()).toContain('No invitation code was given.');
    const neither = b.parley('run', b.code);
    expect(await neither.ended).toBe(2);
    expect(neither.err()).toContain('either --for or --command. No invitation code was used.');
    const running = b.run('plays', b.code);
    await running.says(/agent_b: waiting/);
    const second = b.run('plays');
    expect(await second.ended).toBe(2);
    expect(second.err()).toContain(
      `Process ${running.process.pid} already runs the agent in ${b.folder}. Stop that process first.`,
    );
    const a = await machine(joined, 'agent_a');
    const absent = a.parley('run', a.code, '--for', 'codex');
    expect(await absent.ended).toBe(2);
    expect(absent.err()).toContain(
      'codex cannot be started: spawn codex ENOENT. Install it, or add its folder to the PATH.',
    );
  });
});

const INPUT = { prompt: 'Go on.', url: 'http://127.0.0.1:4100', conversation: 'c-1', flags: ['--model=small'] };

test('Claude Code is resumed with its conversation, and the token is not on the command line', () => {
  const { args } = DRIVERS['claude-code'].command(INPUT);
  expect(args.slice(0, 4)).toEqual(['-p', 'Go on.', '--resume', 'c-1']);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code expands the variable.
  expect(args.join(' ')).toContain('"Authorization":"Bearer ${PARLEY_TOKEN}"');
  const lines = [
    { type: 'system', session_id: 'c-2' },
    { type: 'result', session_id: 'c-2', total_cost_usd: 0.5 },
  ];
  expect(DRIVERS['claude-code'].report(lines)).toEqual({ conversation: 'c-2', cost: 0.5 });
});

test.each([-5, '0.1', null, Number.POSITIVE_INFINITY, Number.NaN, { usd: 1 }])('a cost of %j is unknown', (cost) => {
  const result = { type: 'result', total_cost_usd: cost };
  expect(DRIVERS['claude-code'].report([result])).toEqual({ cost: 0, isCostUnknown: true });
  const lines = [{ total_cost_usd: 0.25 }, result, { total_cost_usd: 0.5 }, {}];
  expect(shellDriver('true').report(lines)).toEqual({ cost: 0.75, isCostUnknown: true });
});

test('a client lowers no sum of costs, and the command says that a cost is unknown', async () => {
  const a = await machine(await joinedAgents(), 'agent_a');
  const run = a.run('cheap', a.code, '--max-runs', '1');
  expect(await run.ended).toBe(7);
  expect(run.err()).toContain(
    'parley: The client reported a cost that is not a number of dollars. --max-cost does not count it.',
  );
  const progress = await readFile(join(await a.files(), 'progress.json'), 'utf8');
  expect(JSON.parse(progress)).toMatchObject({ cost: 0.25 });
});

test('Codex is resumed with its thread', () => {
  const { args } = DRIVERS.codex.command(INPUT);
  expect(args.slice(0, 4)).toEqual(['exec', 'resume', 'c-1', '--json']);
  expect(args.at(-1)).toBe('Go on.');
  expect(args).not.toContain('--skip-git-repo-check');
  expect(args).toContain('mcp_servers.parley.bearer_token_env_var="PARLEY_TOKEN"');
  expect(DRIVERS.codex.report([{ type: 'thread.started', thread_id: 't-1' }])).toEqual({
    conversation: 't-1',
    cost: 0,
  });
});
