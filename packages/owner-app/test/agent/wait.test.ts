import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { joinedAgents, runAs, turn } from './joined.ts';

/** Number of requests of agents that the server has answered. */
const asked = ({ requests }: { requests: readonly unknown[] }): number => requests.length;

describe('parley wait', () => {
  test('prints the next call at once if there is something to do', async () => {
    const { parley, call, tokens } = await joinedAgents();
    const { terminal, exit } = parley('agent_a', 'wait');
    expect(await exit).toBe(0);
    const state = await call('agent_a', 'read_session_state');
    expect(terminal.output().split('\n')).toEqual([
      'agent_a: ACTIVE in PLANNING, round 1 of 10',
      `Next: post_turn: ${state.instruction.text}`,
      `Cursor: ${state.cursor}`,
    ]);
    expect(terminal.errors()).toBe('');
    expect(terminal.output()).not.toContain(tokens.agent_a);
  });

  test('prints the answer of read_session_state with --json', async () => {
    const { parley, call } = await joinedAgents();
    const { terminal, exit } = parley('agent_a', 'wait', '--json');
    expect(await exit).toBe(0);
    expect(JSON.parse(terminal.output())).toEqual(await call('agent_a', 'read_session_state'));
  });

  test('prints the whole state with --json, also of what the agent has seen', async () => {
    const { parley, call, owner, id, app } = await joinedAgents();
    const { cursor } = await call('agent_a', 'read_session_state');
    const before = asked(app());
    const { terminal, exit } = parley('agent_a', 'wait', '--json', '--after', String(cursor));
    await expect.poll(() => asked(app())).toBeGreaterThan(before);
    await owner().direct(id, { targets: ['agent_a'], text: 'Keep the old address.' });
    expect(await exit).toBe(0);
    expect(JSON.parse(terminal.output())).toEqual(await call('agent_a', 'read_session_state'));
    const late = parley('agent_b', 'wait', '--json', '--timeout', '1');
    expect(await late.exit).toBe(7);
    expect(JSON.parse(late.terminal.output())).toEqual(await call('agent_b', 'read_session_state'));
  });

  test('waits for the turn of the other agent with one poll at a time', async () => {
    const { parley, call, app } = await joinedAgents();
    const { terminal, exit } = parley('agent_b', 'wait');
    await expect.poll(() => asked(app())).toBeGreaterThan(0);
    await call('agent_a', 'post_turn', turn('The shop side.'));
    expect(await exit).toBe(0);
    expect(terminal.output()).toContain('Next: post_turn: ');
    // The three requests are the first read of agent_b, its poll, and the turn of agent_a, which ends the poll.
    await expect.poll(() => asked(app())).toBe(3);
  });

  test('exits with 3 if the session has ended or ends during the wait', async () => {
    const { parley, owner, id, app } = await joinedAgents();
    const { terminal, exit } = parley('agent_b', 'wait');
    await expect.poll(() => asked(app())).toBeGreaterThan(0);
    await owner().end(id, { end_reason: 'CANCELLED' });
    expect(await exit).toBe(3);
    expect(terminal.output()).toMatch(/^agent_b: ENDED in PLANNING.*\nNext: The session has ended/);
    expect(await parley('agent_a', 'wait').exit).toBe(3);
  });

  test('exits with 4 and prints the hint of the service if the token is no longer valid', async () => {
    const { parley, owner, id, app, url } = await joinedAgents();
    const { terminal, exit } = parley('agent_b', 'wait');
    await expect.poll(() => asked(app())).toBeGreaterThan(0);
    await owner().revoke(id, { role: 'agent_b' });
    expect(await exit).toBe(4);
    expect(terminal.errors()).toContain('parley: TOKEN_REVOKED: ');
    expect(terminal.errors()).toContain(
      'Ask the owner for a new invitation and redeem it with redeem_invitation (POST invitations/redeem)',
    );
    const without = runAs({ PARLEY_URL: url }, ['wait']);
    expect(await without.exit).toBe(4);
    expect(without.terminal.errors()).toContain(
      'parley: PARLEY_TOKEN is not set to a session token (prt_...). Give the token file with --token-file',
    );
  });

  test('exits with 7 at the timeout, and makes no requests except the long-polls', async () => {
    const { parley, app } = await joinedAgents();
    const { terminal, exit } = parley('agent_b', 'wait', '--timeout', '1');
    expect(await exit).toBe(7);
    expect(terminal.output()).toBe('The agent has nothing to do yet. Run parley wait again.');
    await expect.poll(() => asked(app())).toBe(2);
  });

  test('continues to wait after events that give the agent nothing to do', async () => {
    const { parley, owner, id, app } = await joinedAgents();
    const { terminal, exit } = parley('agent_b', 'wait', '--timeout', '1');
    await expect.poll(() => asked(app())).toBeGreaterThan(0);
    await owner().extendRounds(id, { rounds: 1 });
    expect(await exit).toBe(7);
    expect(terminal.output()).toBe('The agent has nothing to do yet. Run parley wait again.');
  });

  test('with --after, waits for work after the cursor even if there is earlier work', async () => {
    const { parley, call, owner, id, app } = await joinedAgents();
    const { cursor } = await call('agent_a', 'read_session_state');
    const before = asked(app());
    const { terminal, exit } = parley('agent_a', 'wait', '--after', String(cursor));
    await expect.poll(() => asked(app())).toBeGreaterThan(before);
    await owner().direct(id, { targets: ['agent_a'], text: 'Keep the old address.' });
    expect(await exit).toBe(0);
    expect(terminal.output()).toContain('Next: ack_intervention: ');
    expect(terminal.output()).toContain('Open: 1 directives of the owner');
    const beyond = parley('agent_a', 'wait', '--after', '99999');
    expect(await beyond.exit).toBe(1);
    expect(beyond.terminal.errors()).toContain('after: Must be at most ');
  });

  test('continues after a restart of the service, and prints one line while the service is away', async () => {
    const { parley, call, stop, start, app } = await joinedAgents();
    const { terminal, exit } = parley('agent_b', 'wait');
    await expect.poll(() => asked(app())).toBeGreaterThan(0);
    await stop();
    await expect.poll(() => terminal.errors()).not.toBe('');
    await start();
    await call('agent_a', 'post_turn', turn('The shop side.'));
    expect(await exit).toBe(0);
    expect(terminal.output()).toContain('Next: post_turn: ');
    expect(terminal.errors().split('\n')).toEqual([expect.stringMatching(/^parley: trying again: /)]);
  });

  test('waits for a service that does not answer from the start, and reports this at the timeout', async () => {
    const { parley, stop } = await joinedAgents();
    await stop();
    const { terminal, exit } = parley('agent_b', 'wait', '--timeout', '1');
    expect(await exit).toBe(7);
    expect(terminal.output()).toBe('The service did not answer. Run parley wait again.');
    expect(terminal.errors().split('\n')).toEqual([
      expect.stringMatching(/^parley: trying again: No server answers at /),
    ]);
  });

  test('ends the wait of a moderator if there are events that it has not acknowledged', async () => {
    const { url, tokenOf } = await joinedAgents();
    const environment = { PARLEY_URL: url, PARLEY_TOKEN: await tokenOf('moderator') };
    const { terminal, exit } = runAs(environment, ['wait']);
    expect(await exit).toBe(0);
    expect(terminal.output()).toContain('Next: ack_events: Read the events after 0');
  });

  test('reads the file that connect wrote', async () => {
    const { url, code } = await joinedAgents();
    const [home, folder] = [await newFolder(), await newFolder()];
    const machine = { HOME: home, PATH: process.env.PATH ?? '' };
    const connect = ['connect', await code('agent_a'), '--for', 'cursor', '--write', '--url', url, '--folder', folder];
    const connected = runAs(machine, [...connect, '--json']);
    expect(await connected.exit).toBe(0);
    const { token_file: file } = JSON.parse(connected.terminal.output());
    const waiting = runAs(machine, ['wait', '--token-file', file]);
    expect(await waiting.exit).toBe(0);
    expect(waiting.terminal.output()).toContain('Next: post_turn: ');
    const empty = join(home, 'empty.env');
    await writeFile(empty, '');
    const without = runAs(machine, ['wait', '--token-file', empty]);
    expect(await without.exit).toBe(4);
    expect(without.terminal.errors()).toContain(`parley: ${empty} has no line "export PARLEY_TOKEN=prt_..."`);
  });

  test.each([
    ['--timeout', '0'],
    ['--timeout', '1.5'],
    ['--after', '-1'],
  ])('refuses %s %s', async (...flag) => {
    const { parley } = await joinedAgents();
    expect(await parley('agent_a', 'wait', ...flag).exit).toBe(2);
  });
});
