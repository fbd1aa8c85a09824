import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { commandsAt } from '../commands.ts';
import { runApp, SESSION } from '../running-app.ts';

async function runCommands() {
  const { url, parley } = await runApp();
  const run = commandsAt(url);
  return { run, owner: parley.owner('owner') };
}

test('parley pause --all pauses every active session, and resume --all resumes exactly these sessions', async () => {
  const { run, owner } = await runCommands();
  const create = async () => (await owner.createSession(SESSION)).session_id;
  const [draft, ran, alreadyPaused] = [await create(), await create(), await create()];
  await owner.start(ran);
  await owner.start(alreadyPaused);
  await owner.pause(alreadyPaused, { reason: 'Lunch.' });
  expect(await run('pause', '--all', '--reason', 'An incident.')).toMatchObject({
    code: EXIT.OK,
    out: '1 session is paused. To undo: parley resume --all',
  });
  expect((await run('resume', '--all')).out).toBe('1 session is resumed.');
  const statuses = await Promise.all([draft, ran, alreadyPaused].map((id) => owner.view(id)));
  expect(statuses.map(({ state }) => state.status)).toEqual(['DRAFT', 'ACTIVE', 'PAUSED']);
});

test('a second pause --all or resume --all says what is paused already, and how to undo it', async () => {
  const { run, owner } = await runCommands();
  const start = async () => {
    const { session_id } = await owner.createSession(SESSION);
    await owner.start(session_id);
    return session_id;
  };
  expect((await run('pause', '--all')).out).toBe('No session is paused: you have no active session.');
  await owner.pause(await start(), { reason: 'Lunch.' });
  await start();
  await start();
  await run('pause', '--all');
  expect((await run('pause', '--all')).out.replace(/\d+ s ago/, '0 s ago').split('\n')).toEqual([
    'No session is active: 3 sessions are paused already.',
    '2 sessions are paused by "pause --all", 0 s ago. To resume them:',
    '    parley resume --all',
    '1 session is paused alone. To resume it: parley resume SESSION',
  ]);
  const again = JSON.parse((await run('pause', '--all', '--json')).out);
  expect(Object.keys(again)).toEqual(['pause_id', 'paused', 'failed']);
  await run('resume', '--all');
  expect((await run('resume', '--all')).out.split('\n')).toEqual([
    'No session is resumed: none is paused by "pause --all".',
    '1 session is paused alone. To resume it: parley resume SESSION',
  ]);
});

test('resume --all with an unknown id says what the other pauses of all have paused', async () => {
  const { run, owner } = await runCommands();
  await owner.start((await owner.createSession(SESSION)).session_id);
  await run('pause', '--all');
  expect((await run('resume', '--all', '--pause-id', 'x')).out.replace(/\d+ s ago/, '0 s ago').split('\n')).toEqual([
    'No session is resumed: none is paused by the call "x" of "pause --all".',
    '1 session is paused by "pause --all", 0 s ago. To resume them:',
    '    parley resume --all',
  ]);
});

test('while the pauses of two `pause --all` are in force, resume --all resumes the latest, and the id of the other is printed', async () => {
  const { run, owner } = await runCommands();
  const start = async () => owner.start((await owner.createSession(SESSION)).session_id);
  await start();
  await start();
  const { pause_id } = JSON.parse((await run('pause', '--all', '--json')).out);
  await start();
  await run('pause', '--all');
  expect((await run('waiting')).out.match(/parley resume .*/g)).toEqual([
    'parley resume --all',
    `parley resume --all --pause-id ${pause_id}`,
  ]);
  expect((await run('resume', '--all')).out).toBe('1 session is resumed.');
  expect((await run('waiting')).out.match(/parley resume .*/g)).toEqual(['parley resume --all']);
  expect((await run('resume', '--all', '--pause-id', pause_id)).out).toBe('2 sessions are resumed.');
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
