import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { listen } from '../../listen.ts';
import { newFolder } from '../../new-folder.ts';
import { lines } from './command-lines.ts';
import { wholeAnswer } from './whole-answer.ts';

const SESSION = 's'.repeat(22);

/** Runs a command of the owner against a server that answers every request with 200 and this body. */
async function runAt(body: string, args: readonly string[], { key = 'k', type = 'application/json' } = {}) {
  const server = createServer((_request, response) => void response.setHeader('content-type', type).end(body));
  const url = await listen(server);
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: key });
  return { exit: await runCli(args, terminal), out: terminal.output(), err: terminal.errors() };
}

test.each([
  ['a page', '<html>Sign in to this network</html>'],
  ['nothing', ''],
  ['a list', '[]'],
])('no command takes %s for the answer of a service that did what it was asked', async (_what, body) => {
  for (const args of [
    ['waiting'],
    ['end', SESSION, '--end-reason', 'COMPLETED'],
    ['revoke', SESSION, '--role', 'agent_a'],
    ['stop-moderator', SESSION],
  ])
    expect(await runAt(body, args), args.join(' ')).toEqual({
      exit: EXIT.REFUSED,
      out: '',
      err: expect.stringMatching(
        /^parley: The server at \S+ is not a Parley server: its answer is not a JSON object\./,
      ),
    });
});

test('no command takes an answer that ends in the middle of its JSON for the answer of another server', async () => {
  for (const body of ['{', '{"sessions":[{"title":"T', '{"sessions":[],"unread":1'])
    expect(await runAt(body, ['waiting']), body).toEqual({
      exit: EXIT.UNREACHABLE,
      out: '',
      err: expect.stringMatching(
        /^parley: The answer of \S+ broke off \(it ends in the middle of its JSON\)\. Try again\.$/,
      ),
    });
});

/** Commands of agents, and commands whose answer is a file or a stream. */
const OTHER = [
  'wait',
  'hook',
  'mcp',
  'run',
  'connect',
  'commit-changes',
  'create',
  'doctor',
  'export-log',
  'verify-log',
];

test('no command says that a server has done something which answers with an empty object', async () => {
  const file = join(await newFolder(), 'report');
  const owned = lines.filter(([name = '']) => !OTHER.includes(name));
  const more = [
    ['people', 'add', 'Ada', '--role', 'viewer'],
    ['accounts', 'add', 'Team'],
    ['report', 'S', '--out', file],
    ['authorize', 'S', '--stage', 'build', '--yes'],
    ['create', '--title', 'T'],
    ['delete', 'S', '--yes'],
    ['pause', 'S', '--reason', 'x'],
    ['pause', '--all'],
    ['resume', 'S'],
    ['approve-contract', 'S', '--revision-id', 'r_1', '--content-hash', 'x'],
    ['answer-question', 'S', 'q_1', '--text', 'x'],
    ['withdraw-intervention', 'S', 'i_1'],
    ['override-finding', 'S', 'f_1', '--reason', 'x'],
    ['release-hold', 'S', 'h_1', '--reason', 'x'],
    ['respond-recommendation', 'S', 'rec_1', '--decision', 'ACCEPT'],
    ['reassign-defect', 'S', 'def_1', '--role', 'agent_a'],
    ['waive-defect', 'S', 'def_1', '--reason', 'x'],
  ];
  const wrong: unknown[] = [];
  let refused = 0;
  for (const line of [...owned, ...more]) {
    const { exit, out, err } = await runAt(
      '{}',
      line.map((word) => (word === 'S' ? SESSION : word)),
    );
    const isRefused = /^parley: The answer to \w+ is not as expected: its member \w+ is missing or/.test(err);
    // A command of `lines` that lacks an optional flag sends nothing.
    if (exit === EXIT.USAGE && out === '') continue;
    refused += 1;
    if (exit !== EXIT.REFUSED || out !== '' || !isRefused) wrong.push([line.join(' '), exit, out, err]);
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(50);
  expect(existsSync(file)).toBe(false);
});

test('the head of an exported log is quoted in the command that verifies the log', async () => {
  const file = join(await newFolder(), 'log.jsonl');
  const event = JSON.stringify({ session_id: SESSION });
  const line = ['export-log', SESSION, '--out', file];
  const { out } = await runAt(`${JSON.stringify({ hash: 'a;touch x', event })}\n`, line, {
    type: 'application/x-ndjson',
  });
  expect(out).toContain(`verify-log ${file} --head '1:a;touch x'`);
});

test('the id of a revision that is a command of a shell is refused', async () => {
  const answer = { ...wholeAnswer('revision'), revision_id: 'r_1;touch x' };
  expect(await runAt(JSON.stringify(answer), ['revision', SESSION, '--revision-id', 'r_1'])).toEqual({
    exit: EXIT.REFUSED,
    out: '',
    err: expect.stringMatching(/^parley: The answer to revision is not as expected: its member revision_id is missing/),
  });
});

test('a key that is no header is refused and not printed', async () => {
  const { exit, err } = await runAt('{}', ['sessions'], { key: 'pok_first\nsecond' });
  expect(exit).toBe(EXIT.NO_KEY);
  expect(err).toMatch(/^parley: The owner key contains characters that a key never has\./);
  expect(err).not.toContain('second');
});
