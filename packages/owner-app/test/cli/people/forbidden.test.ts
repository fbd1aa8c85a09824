import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { createSession } from '../../ask.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { addPerson, runPeopleApp } from '../../people-app.ts';

async function runAs(url: string, key: string, line: readonly string[]) {
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: key });
  const code = await runCli(line, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
}

const NEXT_STEP = 'Ask a person whose role allows this call to make it, or ask an approver to change your role.';

test.each([
  ['viewer', 'operator', 'end', 'end {session} --end-reason CANCELLED'],
  ['viewer', 'approver', 'addPerson', 'people add Grace --role viewer'],
  ['operator', 'approver', 'deleteSession', 'delete {session} --yes'],
] as const)('a %s that needs the role %s for %s gets the refusal of the service', async (role, needed, call, line) => {
  const { url, parley } = await runPeopleApp();
  const { key } = await addPerson(url, 'Otto', role);
  const session = await createSession(url);
  expect(await runAs(url, key, line.replace('{session}', session).split(' '))).toEqual({
    code: EXIT.REFUSED,
    out: '',
    err: `parley: ROLE_FORBIDDEN: ${call} needs the role ${needed}; your role is ${role}.\n${NEXT_STEP}`,
  });
  expect(await parley.owner('owner').verifyLog(session)).toMatchObject({ ok: true, events: 1 });
});

test('with --json, the body of a refusal contains the required role', async () => {
  const { url } = await runPeopleApp();
  const { key } = await addPerson(url, 'Otto', 'operator');
  const { code, out, err } = await runAs(url, key, ['delete', await createSession(url), '--yes', '--json']);
  expect([code, err]).toEqual([EXIT.REFUSED, '']);
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: 'ROLE_FORBIDDEN', required_role: 'approver' });
});

test.each([
  ['viewer', 'createSession needs the role operator; your role is viewer.'],
  ['operator', 'approveContract needs the role approver; your role is operator.'],
] as const)('parley demo as %s ends at the first call that needs another role', async (role, message) => {
  const { url } = await runPeopleApp();
  const { key } = await addPerson(url, 'Otto', role);
  const { code, err } = await runAs(url, key, ['demo', '--fast']);
  expect([code, err]).toEqual([EXIT.REFUSED, expect.stringContaining(`ROLE_FORBIDDEN: ${message}`)]);
});

test('parley demo as approver plays the mission to its end', async () => {
  const { url } = await runPeopleApp();
  const { key } = await addPerson(url, 'Ada', 'approver');
  expect(await runAs(url, key, ['demo', '--fast'])).toMatchObject({ code: EXIT.OK, err: '' });
});
