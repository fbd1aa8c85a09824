import { expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { UNLIMITED } from '../../src/text/page.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp } from '../running-app.ts';

const TOKEN = 'ghp_of_this_test_0123456789';
const LINK = ['--role', 'agent_a', '--forge', 'github', '--repository', 'orders/api'];

test('link-change takes the token from stdin, the environment or a question, and no command shows it', async () => {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const requirements = [{ requirement_id: 'R1', text: 'x' }];
  const { session_id } = await owner.createSession({ title: 'Orders', objective: 'O', requirements });
  const sent = async () => {
    const target = {
      role: 'agent_a',
      forge: 'github',
      api: 'https://api.github.com',
      repository: 'orders/api',
    } as const;
    const status = { context: 'contract', commit: 'a'.repeat(40), state: 'pending', description: '' } as const;
    return await parley.statuses.token({ session_id, ...target, ...status });
  };
  const run = async (args: readonly string[], changes: object = {}, environment = {}) => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY, ...environment }, UNLIMITED);
    await runCli(args, { ...terminal, ...changes });
    return terminal.output() + terminal.errors();
  };
  const link = ['link-change', session_id, ...LINK];
  const outputs = [
    await run([...link, '--token-stdin'], { input: async () => `${TOKEN}1\n` }),
    await sent(),
    await run(link, {}, { PARLEY_FORGE_TOKEN: `${TOKEN}2` }),
    await sent(),
    await run(link, { secret: async () => `${TOKEN}3` }),
    await sent(),
    await run(link, { secret: async () => '' }),
    await sent(),
  ];
  expect(outputs.filter((_, index) => index % 2 === 1)).toEqual([1, 2, 3, 3].map((number) => `${TOKEN}${number}`));
  const shown = [
    await run(['change-links', session_id]),
    await run(['unlink-change', session_id, '--role', 'agent_a']),
  ];
  expect(
    outputs
      .filter((_, index) => index % 2 === 0)
      .concat(shown)
      .join(''),
  ).not.toContain(TOKEN);
  expect(shown[0]).toContain('https://github.com/orders/api');
  expect(await sent()).toBeNull();
  expect(await run([...link, '--token', TOKEN])).toContain("unknown option '--token'");
});
