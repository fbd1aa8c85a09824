import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { joinedAgents, runAs, turn } from './joined.ts';

const STOP = { hook_event_name: 'Stop', stop_hook_active: false };

/** A session with both builders, and a function that runs the hook for one of them. */
async function hookedClient() {
  const joined = await joinedAgents();
  const home = await newFolder();
  const hook = (role: 'agent_a' | 'agent_b', input: unknown, ...flags: readonly string[]) => {
    const environment = { PARLEY_URL: joined.url, PARLEY_TOKEN: joined.tokens[role], HOME: home };
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const terminal = { ...fakeTerminal(environment), input: async () => text };
    const exit = runCli(['hook', ...flags], terminal);
    const answer = async () => {
      expect(await exit).toBe(0);
      return terminal.output() === '' ? undefined : JSON.parse(terminal.output());
    };
    return { terminal, answer };
  };
  return { ...joined, home, hook };
}

describe('parley hook', () => {
  test('gives a stopping agent the next step', async () => {
    const { hook } = await hookedClient();
    const { decision, reason } = await hook('agent_a', STOP).answer();
    expect(decision).toBe('block');
    expect(reason.split('\n').slice(0, 2)).toEqual([
      'Parley has the next step for you.',
      'agent_a: ACTIVE in PLANNING, round 1 of 10',
    ]);
    expect(reason).toMatch(/^Next: post_turn: /m);
  });

  test('waits until there is a step; messages that need no step and a restart do not end the wait', async () => {
    const { hook, call, owner, id, app, stop, start } = await hookedClient();
    const { terminal, answer } = hook('agent_b', STOP);
    await expect.poll(() => app().requests.length).toBeGreaterThan(1);
    await owner().extendRounds(id, { rounds: 1 });
    await stop();
    await expect.poll(() => terminal.errors()).not.toBe('');
    await start();
    await call('agent_a', 'post_turn', turn('The shop side.'));
    expect((await answer()).reason).toMatch(/^Next: post_turn: /m);
    expect(terminal.errors().split('\n')).toEqual([expect.stringMatching(/^parley: trying again: /)]);
  });

  test('gives the same step three times, then waits for another step', async () => {
    const { hook, owner, id, app } = await hookedClient();
    const reasons = [];
    for (let round = 0; round < 3; round += 1) reasons.push((await hook('agent_a', STOP).answer()).reason);
    expect(reasons.map((reason) => reason.includes('step before and stopped without making its call.'))).toEqual([
      false,
      true,
      true,
    ]);
    const before = app().requests.length;
    const fourth = hook('agent_a', STOP);
    await expect.poll(() => app().requests.length).toBeGreaterThan(before + 1);
    await owner().direct(id, { targets: ['agent_a'], text: 'Keep the old address.' });
    expect((await fourth.answer()).reason).toMatch(/^Next: ack_intervention: /m);
  });

  test('lets the agent stop when the session has ended, and after the timeout', async () => {
    const { hook, owner, id } = await hookedClient();
    expect(await hook('agent_b', STOP, '--timeout', '1').answer()).toEqual({
      systemMessage:
        'Parley: The agent had nothing to do within the time limit of the hook, so the agent stops. To continue later, type "go on" to the agent.',
    });
    await owner().end(id, { end_reason: 'CANCELLED' });
    expect(await hook('agent_b', STOP).answer()).toBeUndefined();
  });

  test('lets the client stop if the service does not answer, the token is revoked or missing, or stdin is not JSON', async () => {
    const { hook, owner, id, stop, url, home } = await hookedClient();
    await owner().revoke(id, { role: 'agent_b' });
    expect((await hook('agent_b', STOP).answer()).systemMessage).toContain('Parley: TOKEN_REVOKED');
    const strange = hook('agent_a', 'no json');
    expect(await strange.answer()).toBeUndefined();
    expect(strange.terminal.errors()).toContain('stdin must contain the JSON that Claude Code passes to a hook');
    await stop();
    expect(await hook('agent_a', STOP, '--away', '1').answer()).toEqual({
      systemMessage:
        'Parley: The service does not answer, so the agent stops. To continue later, type "go on" to the agent.',
    });
    expect(await hook('agent_a', { hook_event_name: 'SessionStart' }).answer()).toBeUndefined();
    const without = runAs({ PARLEY_URL: url, HOME: home }, ['hook']);
    expect([await without.exit, without.terminal.output(), without.terminal.errors()]).toEqual([0, '', '']);
  });

  test('prints the task and the state at the start of a conversation', async () => {
    const { hook } = await hookedClient();
    const { hookSpecificOutput } = await hook('agent_b', {
      hook_event_name: 'SessionStart',
      source: 'compact',
    }).answer();
    expect(hookSpecificOutput.hookEventName).toBe('SessionStart');
    expect(hookSpecificOutput.additionalContext.split('\n').slice(0, 3)).toEqual([
      'You are agent_b in the Parley session "Refunds". The tools of the session are on the MCP server parley.',
      'Objective: A buyer gets the money back within a day.',
      'agent_b: ACTIVE in PLANNING, round 1 of 10',
    ]);
  });
});

const ENTRY = (timeout: number) => ({
  hooks: [
    {
      type: 'command',
      command: expect.stringMatching(/^\/usr\/bin\/node \/opt\/parley\/bin\/parley\.js hook --url http:/),
      timeout,
    },
  ],
});

describe('parley connect --hooks', () => {
  test('adds the hooks to the file only once, and keeps its other content', async () => {
    const { url, code } = await joinedAgents();
    const [home, folder] = [await newFolder(), await newFolder()];
    const file = join(folder, '.claude/settings.local.json');
    await mkdir(join(folder, '.claude'));
    const mine =
      '{\n  // mine\n  "permissions": { "allow": ["mcp__parley"] },\n  "hooks": { "Stop": [{ "hooks": [] }] }\n}\n';
    await writeFile(file, mine);
    const connect = async () => {
      const args = ['connect', await code('agent_a'), '--for', 'claude-code', '--write', '--hooks'];
      const running = runAs({ HOME: home, PATH: process.env.PATH ?? '' }, [...args, '--url', url, '--folder', folder]);
      expect(await running.exit).toBe(0);
      return running.terminal.output();
    };
    const out = await connect();
    expect(out).toContain(`Wrote ${file}: the hooks Stop and SessionStart.`);
    expect(out).toContain(`"command": "/usr/bin/node /opt/parley/bin/parley.js hook --url ${url}"`);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('  // mine\n');
    expect(JSON.parse(text.replace('// mine', ''))).toEqual({
      permissions: { allow: ['mcp__parley'] },
      hooks: { Stop: [{ hooks: [] }, ENTRY(86_400)], SessionStart: [ENTRY(30)] },
    });
    await connect();
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('does not use the code for another client, or if the file cannot be changed', async () => {
    const { url, code } = await joinedAgents();
    const [home, folder] = [await newFolder(), await newFolder()];
    const given = await code('agent_a');
    const connect = (...args: readonly string[]) =>
      runAs({ HOME: home, PATH: process.env.PATH ?? '' }, [
        'connect',
        given,
        '--url',
        url,
        '--folder',
        folder,
        ...args,
      ]);
    const codex = connect('--for', 'codex', '--hooks');
    expect(await codex.exit).toBe(2);
    expect(codex.terminal.errors()).toContain('--hooks works with --for claude-code only');
    await mkdir(join(folder, '.claude'));
    await writeFile(join(folder, '.claude/settings.local.json'), '{ "hooks": [] }');
    const broken = connect('--for', 'claude-code', '--write', '--hooks');
    expect(await broken.exit).toBe(2);
    expect(broken.terminal.errors()).toContain('hooks is not an object');
    const shown = connect('--for', 'claude-code', '--hooks');
    expect(await shown.exit).toBe(0);
    expect(shown.terminal.output()).toContain('Add these hooks to .claude/settings.local.json of the agent');
  });
});
