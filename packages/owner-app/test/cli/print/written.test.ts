import { createOwnerClient } from '@parley/core/client';
import { describe, expect, test } from 'vitest';
import { wholeSessionId } from '../../../src/cli/client/lists.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { commandsAt } from '../../commands.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../../running-app.ts';

async function runCommands() {
  const { url, parley } = await runApp();
  const run = commandsAt(url, { columns: Number.POSITIVE_INFINITY });
  /** Returns the output of a write. The part about tasks that wait for the owner is removed. */
  const told = async (...args: readonly string[]) => (await run(...args)).out.split('\nFor you:')[0];
  const { session_id: id } = await parley.owner('owner').createSession(SESSION);
  return { run, told, id };
}

describe('a write of the owner', () => {
  test('prints its effect, who must act next and how to undo it', async () => {
    const { told, id } = await runCommands();
    expect(await told('start', id)).toBe('The session is started.\nNext: Agent A (agent_a): post its turn');
    expect(await told('start', id, '--first-turn', 'agent_b')).toBe(
      'Agent B (agent_b) begins now. The session was started before.\nNext: Agent B (agent_b): post its turn',
    );
    expect(await told('start', id, '--first-turn', 'agent_b')).toBe(
      'Nothing changes: the session was started before, and Agent B (agent_b) begins already.\nNext: Agent B (agent_b): post its turn',
    );
    expect(await told('start', id, '--first-turn', 'agent_a')).toContain('Agent A (agent_a) begins now.');
    expect(await told('ask', id, '--targets', 'agent_a,agent_b', '--text', 'Why?', '--blocking')).toBe(
      'Question i_1 is asked Agent A (agent_a) and Agent B (agent_b). The contract cannot be certified before the question is answered. Agent A (agent_a) has not joined: it reads this after it has joined. Agent B (agent_b) has not joined: it reads this after it has joined.\nNext: Agent A (agent_a): answer i_1\nNext: Agent B (agent_b): answer i_1',
    );
    expect(await told('extend-rounds', id, '--rounds', '2')).toBe(
      'The session has 12 rounds in all now.\nNext: Agent A (agent_a): answer i_1\nNext: Agent B (agent_b): answer i_1',
    );
    expect(await told('pause', id, '--reason', 'Lunch.')).toBe(
      `The session is paused. Until you resume it, builders can only read, acknowledge and answer.\nTo undo this:\n\n  parley resume ${id}`,
    );
    expect(await told('resume', id)).toBe(
      'The session is active again.\nNext: Agent A (agent_a): answer i_1\nNext: Agent B (agent_b): answer i_1',
    );
    expect(await told('end', id, '--end-reason', 'CANCELLED')).toBe(
      `The session is ended for good.\nThe session can still be read. To keep its log:\n\n  parley export-log ${id} --out session.jsonl`,
    );
  });

  test('names both absent agents after the start, and makes no new code before it says what that ends', async () => {
    const { run, id } = await runCommands();
    await run('invite', id, '--role', 'agent_b', '--code-only');
    expect((await run('start', id)).out.split('\n').slice(2)).toEqual([
      'For you: Agent A (agent_a) has not joined: invite it.',
      '',
      `  parley invite ${id} --role agent_a`,
      'For you: Agent B (agent_b) has not joined: pass its invitation code on.',
      'If a code is lost, make a new one, which ends the lost code:',
      '',
      `  parley invite ${id} --role agent_b`,
    ]);
  });

  test('says once how to replace lost codes, and names who begins with the start', async () => {
    const { run, id } = await runCommands();
    await run('invite', id, '--role', 'agent_a', '--code-only');
    await run('invite', id, '--role', 'agent_b', '--code-only');
    expect((await run('start', id, '--first-turn', 'agent_b')).out.split('\n')).toEqual([
      'The session is started, and Agent B (agent_b) begins.',
      'Next: Agent B (agent_b): post its turn',
      'For you: Agent A (agent_a) has not joined: pass its invitation code on.',
      'For you: Agent B (agent_b) has not joined: pass its invitation code on.',
      'If a code is lost, make a new one, which ends the lost code:',
      '',
      `  parley invite ${id} --role agent_a`,
      `  parley invite ${id} --role agent_b`,
    ]);
  });

  test('prints the answer of the service with --json', async () => {
    const { run, id } = await runCommands();
    expect(JSON.parse((await run('start', id, '--json')).out)).toEqual({
      session_id: id,
      status: 'ACTIVE',
      phase: 'PLANNING',
      round_limit: 10,
    });
  });
});

test('parley sessions has one row for each session, and filters', async () => {
  const { run, id } = await runCommands();
  const rows = async (...flags: readonly string[]) => (await run('sessions', ...flags)).out.split('\n');
  expect(await rows()).toEqual([
    'session  phase  next  since  last  waits  title',
    expect.stringMatching(new RegExp(`^${id} {2}DRAFT PLANNING {2}- {2}- {2}\\S+ \\S+ {2}- {2}Refunds$`)),
    '',
    '1 session: 1 DRAFT.',
  ]);
  expect(await rows('--waiting')).toEqual(['No session matches.']);
  expect(await rows('--status', 'DRAFT', '--phase', 'PLANNING', '--idle', '0s')).toHaveLength(4);
  expect(await rows('--idle', '1h')).toEqual(['No session matches.']);
  expect(await rows('--phase', 'VERIFY')).toEqual(['No session matches.']);
  const refused = await run('sessions', '--idle', 'long');
  expect(refused.code).toBe(EXIT.USAGE);
  expect(refused.err).toContain('Expected a duration such as 90s, 30min, 1h or 2d.');
});

describe('the beginning of a session id', () => {
  test('is accepted in place of the whole id by every command', async () => {
    const { run, told, id } = await runCommands();
    const prefix = id.slice(0, 6);
    expect(await told('start', prefix)).toBe('The session is started.\nNext: Agent A (agent_a): post its turn');
    expect(JSON.parse((await run('view', prefix, '--json')).out)).toMatchObject({ session_id: id });
    expect((await run('verify-log', prefix)).out).toMatch(/^ok {2}2 events are valid/);
    expect((await run('export-log', prefix)).out.split('\n')).toHaveLength(2);
    expect((await run('delete', prefix, '--yes')).out).toBe(`Session ${id} is erased.`);
  });

  test('is refused if no session or several sessions have it, and if it is too short', async () => {
    const { run, id } = await runCommands();
    const none = await run('view', 'zzzzzzzzz');
    expect(none).toEqual({
      code: EXIT.REFUSED,
      out: '',
      err: 'parley: You have no session whose id begins with zzzzzzzzz. List your sessions: parley sessions',
    });
    expect((await run('view', id.slice(0, 3))).code).toBe(EXIT.REFUSED);
  });

  test('lists the sessions that it could mean', async () => {
    const sessions = ['abcd1', 'abcd2'].map((session_id) => ({ session_id, title: 'Refunds' }));
    const client = createOwnerClient(async () => ({ sessions, next_after: null }));
    await expect(wholeSessionId(client, 'abcd')).rejects.toThrow(
      'The ids of 2 sessions begin with abcd. Give more characters of the id:\n  abcd1  Refunds\n  abcd2  Refunds',
    );
  });

  test('needs no call if the id is complete', async () => {
    const client = createOwnerClient(() => Promise.reject(new Error('a call')));
    expect(await wholeSessionId(client, 'LEvIfXlqZFp2CD1yL6KEww')).toBe('LEvIfXlqZFp2CD1yL6KEww');
  });
});

test('an unexpected failure names the trace id that the operator needs', async () => {
  const { createServer } = await import('node:http');
  const server = createServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ok: false,
        error: 'INTERNAL',
        message: 'The service failed on this request.',
        hint: 'Tell the operator the trace_id.',
        trace_id: 'tr4ce',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  const terminal = fakeTerminal({ PARLEY_URL: `http://127.0.0.1:${port}`, PARLEY_OWNER_KEY: KEY });
  expect(await runCli(['sessions'], terminal)).toBe(EXIT.REFUSED);
  server.close();
  expect(terminal.errors()).toBe(
    'parley: INTERNAL: The service failed on this request.\nTell the operator the trace_id.\ntrace_id tr4ce',
  );
});
