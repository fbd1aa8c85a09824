import { expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { joinedAgents, turn } from './joined.ts';

test('parley run leaves the signals of the process as they were', async () => {
  const { url, code, call } = await joinedAgents();
  await call('agent_a', 'post_turn', { request_id: 'turn-1', ...turn('I begin.') });
  const before = process.listenerCount('SIGTERM');
  const terminal = fakeTerminal({ HOME: await newFolder(), PATH: process.env.PATH ?? '' });
  const flags = ['--command', 'false', '--folder', await newFolder(), '--url', url, '--max-runs', '1'];
  await runCli(['run', await code('agent_b'), ...flags], terminal);
  expect(terminal.output()).toContain('agent_b of session');
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
