import { join } from 'node:path';
import { createMemoryStorage, type Storage } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { ask, createSession } from '../../ask.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';
import { addPerson, runPeopleApp } from '../../people-app.ts';
import { KEY } from '../../running-app.ts';

/** A storage in memory whose stored events a test can change. */
function changeableStorage() {
  const memory = createMemoryStorage();
  let change = (body: string): string => body;
  const events: Storage['events'] = async (...range) =>
    (await memory.events(...range)).map((event) => ({ ...event, body: change(event.body) }));
  return {
    ...memory,
    events,
    change(next: typeof change) {
      change = next;
    },
  };
}

async function runCommands() {
  const storage = changeableStorage();
  const { url } = await runPeopleApp(storage);
  const runAs = async (key: string, ...args: readonly string[]) => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: key }, 100);
    const code = await runCli(args, terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
  return { url, storage, runAs, run: (...args: readonly string[]) => runAs(KEY, ...args) };
}

describe('parley people', () => {
  test('adds a person, whose key works, and lists, changes and revokes the person', async () => {
    const { run, runAs } = await runCommands();
    expect(await run('people')).toMatchObject({
      code: EXIT.OK,
      out: 'No person has a key or a company account. Only the owner key can be used.\n\nTo add a person: parley people add NAME --role viewer|operator|approver',
    });
    const { code, out } = await run('people', 'add', 'Ada Lovelace', '--role', 'approver');
    expect(code).toBe(EXIT.OK);
    const [, key = ''] = /^ {2}(pok_[\w-]{43})$/m.exec(out) ?? [];
    expect(out.replace(key, 'KEY').split('\n')).toEqual([
      'Ada Lovelace is added with the role approver. The key, which is shown only now:',
      '',
      '  KEY',
      '',
      'The person signs in with this key, or sets it as PARLEY_OWNER_KEY.',
      "To revoke the key: parley people revoke 'Ada Lovelace'",
    ]);
    const [heads, row] = (await runAs(key, 'people', 'list')).out.split('\n');
    expect(heads).toMatch(/^name +role +id +key +added +last used$/);
    expect(row).toMatch(/^Ada Lovelace \(you\) {2}approver {2}p_\w{10} {2}pok_[\w-]{6}… {2}\d+ s ago +\d+ s ago$/);
    expect(await run('people', 'role', 'Ada Lovelace', '--role', 'viewer')).toMatchObject({
      code: EXIT.OK,
      out: 'Ada Lovelace has the role viewer from the next request on.',
    });
    const id = /p_\w{10}/.exec(row ?? '')?.[0] ?? '';
    const revoked = await run('people', 'revoke', id);
    expect([revoked.code, revoked.out]).toEqual([EXIT.OK, 'Ada Lovelace is revoked.']);
    expect(await runAs(key, 'people')).toMatchObject({ code: EXIT.NO_KEY });
  });

  test('tells what a revoked person leaves behind, and ends it with --end-access', async () => {
    const { url, run } = await runCommands();
    const session = await createSession(url);
    const olga = await addPerson(url, 'Olga', 'operator');
    const invite = async (role: string): Promise<string> => {
      const path = `/owner/api/sessions/${session}/invite`;
      return (await ask(url, path, { headers: olga.headers, body: { role } })).json.code;
    };
    const code = await invite('agent_a');
    const { json } = await ask(url, '/api/public/agent/invitations/redeem', { body: { code } });
    const until = `${json.expires_at.slice(0, 16).replace('T', ' ')} UTC`;
    await invite('agent_b');
    const lines = ({ out }: { readonly out: string }) => out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
    expect(lines(await run('people', 'role', 'Olga', '--role', 'viewer'))).toEqual([
      'Olga has the role viewer from the next request on.',
      '',
      'left behind | now | session | title',
      `code of agent_b | refused | ${session} | Refunds`,
      `token of agent_a | valid until ${until} | ${session} | Refunds`,
      '',
      `To end what is not ended: parley people role ${olga.id} --role viewer --end-access`,
    ]);
    expect((await run('people', 'revoke', 'Olga')).out).toContain(`people revoke ${olga.id} --end-access`);
    expect(lines(await run('people', 'revoke', olga.id, '--end-access'))).toEqual([
      'Olga is revoked.',
      '',
      'left behind | now | session | title',
      `code of agent_b | ended | ${session} | Refunds`,
      `token of agent_a | ended | ${session} | Refunds`,
      '',
      'Ended: 2 codes and tokens.',
    ]);
    expect((await run('people', 'revoke', olga.id, '--end-access')).out).toBe('Olga is revoked.');
  });

  test('tells who the key is, and the account if there are several', async () => {
    const { url, run, runAs } = await runCommands();
    expect((await run('people', 'me')).out).toBe('You are Owner (owner), approver.');
    const ada = await addPerson(url, 'Ada', 'viewer');
    expect((await runAs(ada.key, 'people', 'me')).out).toBe(`You are Ada (${ada.id}), viewer.`);
    expect(JSON.parse((await runAs(ada.key, 'people', 'me', '--json')).out)).toEqual({
      id: ada.id,
      name: 'Ada',
      role: 'viewer',
    });
    await run('accounts', 'add', 'Team B');
    expect((await runAs(ada.key, 'people', 'me')).out).toBe(`You are Ada (${ada.id}), viewer, account First account.`);
  });

  test('prints the answer with --json', async () => {
    const { run } = await runCommands();
    const { out } = await run('people', 'add', 'Ada', '--role', 'viewer', '--json');
    expect(JSON.parse(out)).toMatchObject({ person: { name: 'Ada', role: 'viewer' }, key: expect.any(String) });
    expect(JSON.parse((await run('people', '--json')).out)).toMatchObject({ people: [{ name: 'Ada' }], revoked: [] });
  });

  test.each([
    [['people', 'add'], EXIT.USAGE, 'parley: Name the person: parley people add NAME'],
    [['people', 'add', 'Ada'], EXIT.USAGE, 'parley: Give the role: --role viewer|operator|approver'],
    [['people', 'role', 'Ada'], EXIT.USAGE, 'parley: Give the role: --role viewer|operator|approver'],
    [['people', 'revoke', 'Ada', '--role', 'viewer'], EXIT.USAGE, 'parley: parley people revoke takes no --role.'],
    [['people', 'readmit', 'Ada', '--end-access'], EXIT.USAGE, 'parley: parley people readmit takes no --end-access.'],
    [['people', 'verify', 'Ada'], EXIT.USAGE, 'parley: parley people verify takes no name and no --role.'],
    [['people', 'list', '--out', 'x'], EXIT.USAGE, 'parley: parley people list takes no --out. Only export does.'],
    [['people', 'list', 'Ada'], EXIT.USAGE, 'parley: parley people list takes no name and no --role.'],
    [['people', 'me', 'Ada'], EXIT.USAGE, 'parley: parley people me takes no name and no --role.'],
    [
      ['people', 'add', 'Ada', '--role', 'king'],
      EXIT.USAGE,
      "error: option '--role <word>' argument 'king' is invalid.",
    ],
    [
      ['people', 'remove', 'Ada'],
      EXIT.USAGE,
      "error: command-argument value 'remove' is invalid for argument 'action'.",
    ],
    [
      ['people', 'revoke', 'Ada'],
      EXIT.REFUSED,
      'parley: No person who can sign in has the name or the id "Ada". To list names and ids, run: parley people --json',
    ],
    [['people', 'add', ' ', '--role', 'viewer'], EXIT.REFUSED, 'parley: INVALID_INPUT: name: Must not be empty'],
  ])('refuses %j', async (args, code, said) => {
    const { run } = await runCommands();
    const heard = await run(...args);
    expect([heard.code, heard.err]).toEqual([code, expect.stringContaining(said)]);
  });

  test('verifies and exports the log of people', async () => {
    const { run } = await runCommands();
    expect(await run('people', 'verify')).toMatchObject({
      code: EXIT.OK,
      out: `ok  0 events are valid; head 0:${'0'.repeat(64)}`,
    });
    await run('people', 'add', 'Ada', '--role', 'viewer');
    await run('people', 'role', 'Ada', '--role', 'operator');
    const { out } = await run('people', 'export');
    const lines = out.split('\n').map((line) => JSON.parse(line));
    expect(lines.map(({ event }) => JSON.parse(event).kind)).toEqual(['person.added', 'person.role_changed']);
    const verified = `ok  2 events are valid; head 2:${lines[1].hash}`;
    expect(await run('people', 'verify')).toMatchObject({ code: EXIT.OK, out: verified });
    expect(JSON.parse((await run('people', 'verify', '--json')).out)).toEqual({
      ok: true,
      events: 2,
      head: { seq: 2, hash: lines[1].hash },
    });
    const file = join(await newFolder(), 'people.jsonl');
    const exported = await run('people', 'export', '--out', file);
    expect(exported.out).toContain(`Wrote ${file}: 2 events, head 2:${lines[1].hash}`);
    expect(await run('verify-log', file)).toMatchObject({ code: EXIT.OK, out: verified });
  });

  test('reports a changed event in the log of people', async () => {
    const { run, storage } = await runCommands();
    await run('people', 'add', 'Ada', '--role', 'viewer');
    storage.change((body) => body.replace('"viewer"', '"approver"'));
    const { code, out, err } = await run('people', 'verify');
    expect([code, err]).toEqual([EXIT.MISMATCH, 'parley: verification found a fault in the log of people']);
    expect(out).toMatch(/^broken {2}event 1, /);
  });

  test('shows a name with signs of a shell as it is, and adds none with an invisible character', async () => {
    const { url, run } = await runCommands();
    await addPerson(url, "$(reboot) 'x'; <b>", 'viewer');
    expect((await run('people')).out).toContain("$(reboot) 'x'; <b>");
    expect((await run('people', 'add', 'Ada\u200b', '--role', 'viewer')).code).toBe(EXIT.REFUSED);
  });
});

test('a command for which the role is not enough prints the required role', async () => {
  const { url, runAs } = await runCommands();
  const session = await createSession(url);
  const { key } = await addPerson(url, 'Vera', 'viewer');
  expect((await runAs(key, 'view', session)).code).toBe(EXIT.OK);
  expect(await runAs(key, 'start', session)).toMatchObject({
    code: EXIT.REFUSED,
    err: [
      'parley: ROLE_FORBIDDEN: start needs the role operator; your role is viewer.',
      'Ask a person whose role allows this call to make it, or ask an approver to change your role.',
    ].join('\n'),
  });
  expect((await runAs(key, 'delete', session, '--yes')).err).toContain(
    'deleteSession needs the role approver; your role is viewer.',
  );
});

test('the audit names the people and accounts that were changed', async () => {
  const { url, run } = await runCommands();
  const { id } = await addPerson(url, 'Ada', 'operator');
  await run('people', 'role', 'Ada', '--role', 'viewer');
  await run('people', 'revoke', 'Ada');
  await run('accounts', 'add', 'Team B');
  await run('accounts', 'change', 'Team B', '--name', 'Team C', '--events', '5');
  await run('accounts', 'change', 'Team C', '--events', 'none');
  await run('accounts', 'close', 'Team C');
  await run('accounts', 'reopen', 'Team C');
  const { out } = await run('audit');
  const told = out
    .split('\n')
    .slice(1)
    .map((line) => (line.split(/ {2,}/)[2] ?? '').replace(/acc_\w+/, 'ACC').replace(id, 'ID'));
  expect(told).toEqual([
    'reopens Team C (ACC)',
    'closes Team C (ACC)',
    'removes all limits of Team C (ACC)',
    'limits Team C (ACC) to 5 events',
    'renames ACC to Team C',
    'adds the account Team B (ACC)',
    'revokes Ada (ID)',
    'gives Ada (ID) the role viewer',
    'adds Ada (ID) as operator',
  ]);
});

test('transcript, watch, show and audit mark what the person with the key did', async () => {
  const { url, run, runAs } = await runCommands();
  const ada = await addPerson(url, 'Ada', 'operator');
  const id = await createSession(url);
  await runAs(ada.key, 'start', id);
  await run('pause', id, '--reason', 'Wait.');
  await runAs(ada.key, 'end', id, '--end-reason', 'CANCELLED');
  const speakers = (out: string) => out.match(/^● .*? {2}/gm)?.map((line) => line.slice(2).trim());
  for (const command of ['transcript', 'watch']) {
    expect(speakers((await runAs(ada.key, command, id)).out)?.slice(-3)).toEqual(['Ada (you)', 'owner', 'Ada (you)']);
    expect(speakers((await run(command, id)).out)?.slice(-3)).toEqual(['Ada (owner)', 'owner', 'Ada (owner)']);
  }
  expect(speakers((await runAs(ada.key, 'show', id, '2')).out)).toEqual(['Ada (you)']);
  const named = (out: string) =>
    out
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/)[1]);
  expect(named((await runAs(ada.key, 'audit', '--session', id)).out)).toEqual([
    'Ada (you)',
    'Owner',
    'Ada (you)',
    'Owner',
  ]);
  expect(named((await run('audit', '--session', id)).out)).toEqual(['Ada', 'Owner', 'Ada', 'Owner']);
});

test('parley people adds a key of a person as the same person, by name, and lists it so', async () => {
  const { run } = await runCommands();
  await run('people', 'add', 'Ada', '--role', 'approver');
  const added = await run('people', 'add', 'Ada with a key', '--role', 'approver', '--same-person-as', 'Ada', '--json');
  expect(added.code).toBe(EXIT.OK);
  const { people } = JSON.parse((await run('people', '--json')).out);
  expect(people[1].same_person_as).toBe(people[0].person_id);
  expect((await run('people')).out).toContain(`…, same person as ${people[0].person_id} `);
  expect((await run('people', 'revoke', 'Ada', '--same-person-as', 'Ada')).code).toBe(EXIT.USAGE);
});
