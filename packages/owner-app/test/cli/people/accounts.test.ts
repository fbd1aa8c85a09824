import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { addAccount, addPerson, runPeopleApp } from '../../people-app.ts';
import { KEY } from '../../running-app.ts';

async function runCommands() {
  const { url } = await runPeopleApp();
  const runAs = async (key: string, ...args: readonly string[]) => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: key }, 100);
    const code = await runCli(args, terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
  return { url, runAs, run: (...args: readonly string[]) => runAs(KEY, ...args) };
}

describe('parley accounts', () => {
  test('adds, lists, changes, closes and reopens an account', async () => {
    const { run } = await runCommands();
    const { code, out } = await run('accounts', 'add', 'Team B', '--sessions', '5', '--bytes', 'none');
    const [id = ''] = /acc_\w{10}/.exec(out) ?? [];
    expect([code, out.replace(id, 'ID').split('\n')]).toEqual([
      EXIT.OK,
      [
        'Team B is added, with the id ID.',
        "To add a person: parley people add NAME --role approver --account 'Team B'",
      ],
    ]);
    await run('people', 'add', 'Bea', '--role', 'approver', '--account', 'Team B');
    const [heads, ...rows] = (await run('accounts')).out.split('\n');
    expect(heads).toMatch(/^name +id +people +sessions +events +bytes +added +closed$/);
    expect(rows).toEqual([
      expect.stringMatching(/^First account +owner +0 +0 +0 +0 +- +-$/),
      expect.stringMatching(/^Team B +acc_\w{10} +1 +0 of 5 +0 +0 +\d+ s ago +-$/),
    ]);
    const changed = await run(
      'accounts',
      'change',
      'Team B',
      '--name',
      'Team C',
      '--sessions',
      'none',
      '--events',
      '9',
    );
    expect(changed.out.split('\n').at(1)).toMatch(/^Team C +acc_\w{10} +1 +0 +0 of 9 +0 +\d+ s ago +-$/);
    expect((await run('accounts', 'close', id)).out).toBe(
      'Team C is closed. The keys of its people are refused from the next request on, and within 5 seconds nothing more is stored for its agents.',
    );
    expect((await run('accounts')).out).toMatch(/^Team C .* ago +\d+ s ago$/m);
    expect((await run('accounts', 'reopen', 'Team C')).out).toBe(
      'Team C is open again. The keys of its people work again.',
    );
  });

  test.each([
    [['accounts', 'add'], EXIT.USAGE, 'parley: Name the account: parley accounts add NAME'],
    [['accounts', 'list', 'Team B'], EXIT.USAGE, 'parley: parley accounts list takes no name.'],
    [
      ['accounts', 'change', 'Team B'],
      EXIT.USAGE,
      'parley: Nothing to change. Add at least one of --name NAME, --sessions N',
    ],
    [
      ['accounts', 'close', 'B', '--events', '9'],
      EXIT.USAGE,
      'parley: parley accounts close does not take --sessions, --events or --bytes.',
    ],
    [['accounts', 'add', 'B', '--events', '-1'], EXIT.USAGE, 'Expected a whole number, or the word none.'],
    [['accounts', 'close', 'Team B', '--name', 'C'], EXIT.USAGE, 'parley: parley accounts close takes no --name.'],
    [
      ['accounts', 'close', 'Team X'],
      EXIT.REFUSED,
      'parley: No account has the name or the id "Team X". To list names and ids, run: parley accounts',
    ],
    [['people', 'revoke', 'Ada', '--account', 'B'], EXIT.USAGE, 'parley: parley people revoke takes no --account.'],
    [['accounts', 'add', 'First account'], EXIT.REFUSED, 'parley: INVALID_INPUT: name: An account has this name'],
    [['accounts', 'close', 'owner'], EXIT.REFUSED, 'parley: INVALID_INPUT: account_id: The first account cannot'],
  ])('refuses %j', async (args, code, said) => {
    const { run } = await runCommands();
    const heard = await run(...args);
    expect([heard.code, heard.err]).toEqual([code, expect.stringContaining(said)]);
  });
});

describe('parley people', () => {
  test('shows the account of each person if there are several, and asks for an id if a name is not unique', async () => {
    const { url, run } = await runCommands();
    const account = await addAccount(url, 'Team B');
    await addPerson(url, 'Ada', 'viewer', account);
    const { id } = await addPerson(url, 'Ada', 'viewer');
    const { out } = await run('people');
    expect(out).toMatch(/^name +role +account +id +key +added +last used$/m);
    expect(out).toMatch(/^Ada +viewer +owner +p_/m);
    expect(out).toMatch(/^Ada +viewer +acc_\w{10} +p_/m);
    expect(await run('people', 'revoke', 'Ada')).toMatchObject({
      code: EXIT.REFUSED,
      err: 'parley: People of several accounts have the name "Ada". Give the id of the person. To list the ids, run: parley people --json',
    });
    expect((await run('people', 'revoke', id)).out).toBe('Ada is revoked.');
  });
});
