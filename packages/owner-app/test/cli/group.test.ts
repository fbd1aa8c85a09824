import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { commandsAt } from '../commands.ts';
import { runApp, SESSION } from '../running-app.ts';

async function runCommands() {
  const { url, parley } = await runApp();
  const run = commandsAt(url);
  return { run, owner: parley.owner('owner') };
}

const flags = (title: string, ...more: readonly string[]) => ['create', '--title', title, '--objective', 'O', ...more];

test('parley create --group --requirements-of copies the requirements, and parley group shows the sessions', async () => {
  const { run, owner } = await runCommands();
  const shop = JSON.parse(
    (
      await run(
        ...flags('Shop', '--group', 'checkout', '--requirement', 'req-7: It is paid once.', '--json'),
        '--acceptance',
        'req-7: Two requests move the money once.',
      )
    ).out,
  ).session_id;
  const made = await run(...flags('Bank', '--group', 'Checkout', '--requirements-of', shop.slice(0, 8), '--json'));
  const bank = JSON.parse(made.out).session_id;
  const { requirements } = await owner.view(bank);
  expect(requirements).toEqual([
    {
      requirement_id: 'req-7',
      text: 'It is paid once.',
      acceptance_criteria: ['Two requests move the money once.'],
    },
  ]);
  await owner.start(bank);
  const [first, second] = [shop.slice(0, 4), bank.slice(0, 4)];
  const lines = (await run('group', 'checkout')).out.split('\n');
  expect(lines.map((line) => line.split(/ {2,}/).filter((cell) => !cell.startsWith('agent_a')))).toEqual([
    ['Group checkout: 2 sessions, 0 are certified or deployed.'],
    [''],
    ['session', 'phase', 'contract', 'release', 'next', 'title'],
    [first, 'DRAFT PLANNING', '-', 'stopped by 1', '-', 'Shop'],
    [second, 'PLANNING', '-', 'stopped by 1', 'Bank'],
    [''],
    [`${first} Shop is stopped by:`],
    ['', '- The contract is not approved.'],
    [''],
    [`${second} Bank is stopped by:`],
    ['', '- The contract is not approved.'],
  ]);
  const { sessions } = JSON.parse((await run('group', 'CHECKOUT', '--json')).out);
  expect(sessions).toEqual((await owner.group({ name: 'checkout' })).sessions);
});

test.each([
  [['group', 'nothing'], EXIT.REFUSED, /no session in a group with this name/],
  [['group', 'a\nb'], EXIT.REFUSED, /one line/],
  [flags('T', '--requirements-of', 'x', '--requirement', 'y'), EXIT.USAGE, /cannot be used with/],
  [flags('T', '--requirements-of', 'nothere'), EXIT.REFUSED, /no session/],
])('%j is refused with a reason', async (args, code, reason) => {
  const { run, owner } = await runCommands();
  const refused = await run(...args);
  expect(refused.code).toBe(code);
  expect(refused.err).toMatch(reason);
  expect((await owner.listSessions()).sessions).toEqual([]);
});

test('parley authorize --group-ready names the sessions that are not certified', async () => {
  const { run, owner } = await runCommands();
  const [one, other] = await Promise.all(
    ['Shop', 'Bank'].map((title) => owner.createSession({ ...SESSION, title, group: 'checkout' })),
  );
  await owner.start(String(one?.session_id));
  const refused = await run('authorize', String(one?.session_id), '--stage', 'deployment', '--group-ready', '--yes');
  expect(refused.code).toBe(EXIT.REFUSED);
  expect(refused.err).toContain(`Bank (${other?.session_id})`);
  expect(refused.err).not.toContain(`Shop (${one?.session_id})`);
});
