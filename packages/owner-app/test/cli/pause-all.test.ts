import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../running-app.ts';

async function runCommands() {
  const { url, parley } = await runApp();
  const run = async (...args: readonly string[]) => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    const code = await runCli(args, terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
  return { run, owner: parley.owner('owner') };
}

test('parley pause --all pauses every active session, and resume --all resumes exactly these sessions', async () => {
  const { run, owner } = await runCommands();
  const create = async () => (await owner.createSession(SESSION)).session_id;
  const [draft, ran, alreadyPaused] = [await create(), await create(), await create()];
  await owner.start(ran);
  await owner.start(alreadyPaused);
  await owner.pause(alreadyPaused, { reason: 'Lunch.' });
  const { code, out } = await run('pause', '--all', '--reason', 'An incident.');
  expect(code).toBe(EXIT.OK);
  expect(out.split('\n')).toEqual([
    '1 session is paused.',
    'session                 title',
    `${ran}  Refunds`,
    'To resume exactly these sessions:',
    '',
    expect.stringMatching(/^ {2}parley resume --all --pause-id \S+$/),
  ]);
  const undo = out.split(' ').at(-1) ?? '';
  expect((await run('resume', '--all', '--pause-id', undo)).out.split('\n')).toEqual([
    '1 session is resumed.',
    'session                 title',
    `${ran}  Refunds`,
  ]);
  const statuses = await Promise.all([draft, ran, alreadyPaused].map((id) => owner.view(id)));
  expect(statuses.map(({ state }) => state.status)).toEqual(['DRAFT', 'ACTIVE', 'PAUSED']);
  expect((await run('resume', '--all')).out).toBe('No session is resumed.');
});

test('at most ten titles are printed, and the number of the others', async () => {
  const { run, owner } = await runCommands();
  for (let count = 0; count < 12; count += 1) await owner.start((await owner.createSession(SESSION)).session_id);
  const lines = (await run('pause', '--all')).out.split('\n');
  expect(lines[0]).toBe('12 sessions are paused.');
  expect(lines.slice(2).map((line) => line.replace(/^\S{22} {2}/, ''))).toEqual([
    ...Array.from({ length: 10 }, () => 'Refunds'),
    'and 2 more',
    'To resume exactly these sessions:',
    '',
    expect.stringMatching(/^ {2}parley resume --all --pause-id \S+$/),
  ]);
  const resumed = (await run('resume', '--all')).out.split('\n');
  expect(resumed[0]).toBe('12 sessions are resumed.');
  expect(resumed).toHaveLength(13);
  expect(resumed.at(-1)).toBe('and 2 more');
});

test('pause --all needs no reason, but the pause of one session needs a reason', async () => {
  const { run, owner } = await runCommands();
  const { session_id: id } = await owner.createSession(SESSION);
  await owner.start(id);
  expect(await run('pause', id)).toMatchObject({
    code: EXIT.USAGE,
    err: 'parley: Give a reason with --reason <text>. The agents can read it.',
  });
  expect((await run('pause', '--all')).code).toBe(EXIT.OK);
  const { messages } = await owner.transcript(id, { last: 1 });
  expect(messages[0]?.body).toMatchObject({ reason: 'The owner stopped all sessions.' });
});

test('either a session or --all is required', async () => {
  const { run } = await runCommands();
  expect(await run('pause', '--reason', 'x')).toMatchObject({
    code: EXIT.USAGE,
    err: 'parley: Name a session, or give --all.',
  });
  expect(await run('resume', 'LEvIfXlqZFp2CD1yL6KEww', '--all')).toMatchObject({
    code: EXIT.USAGE,
    err: 'parley: Name a session or give --all, not both.',
  });
});
