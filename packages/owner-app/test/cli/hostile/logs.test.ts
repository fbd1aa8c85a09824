import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { listen } from '../../listen.ts';
import { newFolder } from '../../new-folder.ts';
import { callOf, wholeAnswer } from './whole-answer.ts';

const SESSION = 's'.repeat(22);
const KEY = `pok_${'k'.repeat(43)}`;

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
}

/** A server that answers a request by the end of its path, and every other request with a whole answer. */
async function server(answers: Readonly<Record<string, Answer>>) {
  const listening = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const found = Object.entries(answers).find(([end]) => path.endsWith(end));
    const whole = JSON.stringify(wholeAnswer(callOf(request.method, request.url)));
    const { status = 200, type = 'application/json', body = whole } = found?.[1] ?? {};
    response.writeHead(status, type === '' ? {} : { 'content-type': type });
    response.end(body);
  });
  return await listen(listening);
}

async function run(PARLEY_URL: string, ...args: readonly string[]) {
  const terminal = fakeTerminal({ PARLEY_URL, PARLEY_OWNER_KEY: KEY }, 10_000);
  const exit = await runCli(args, terminal);
  return { exit, out: terminal.output(), err: terminal.errors() };
}

const LINES = 'application/x-ndjson; charset=utf-8';

/** A log of one event, whose hash is right. */
function logOf(session_id: string): string {
  const event = JSON.stringify({ session_id, seq: 1, at: '2026-11-29T12:00:00.000Z', prev_hash: '0'.repeat(64) });
  return `${JSON.stringify({ hash: createHash('sha256').update(event).digest('hex'), event })}\n`;
}

const PAGE = '<html>\n<p>Sign in to this network</p>\n</html>\n';

const NO_LOGS: readonly (readonly [string, Answer])[] = [
  ['a page', { type: 'text/html', body: PAGE }],
  ['a page that is said to be lines', { type: LINES, body: PAGE }],
  ['lines that are said to be a page', { type: 'text/html', body: logOf(SESSION) }],
  ['nothing', { status: 204, type: '', body: '' }],
  ['a JSON object', { body: '{}' }],
  ['lines after which a page follows', { type: LINES, body: `${logOf(SESSION)}${PAGE}` }],
];

test.each(NO_LOGS)('export-log and people export refuse %s and leave no file', async (_what, answer) => {
  const url = await server({ '/log': answer });
  const folder = await newFolder();
  for (const line of [
    ['export-log', SESSION],
    ['people', 'export'],
  ]) {
    for (const out of [[], ['--out', join(folder, 'log.jsonl')]]) {
      const { exit, err } = await run(url, ...line, ...out);
      expect({ exit, err }, line.join(' ')).toEqual({
        exit: EXIT.REFUSED,
        err: expect.stringMatching(/^parley: The server at \S+ is not a Parley server: .* Check PARLEY_URL\.$/),
      });
    }
    expect(await readdir(folder)).toEqual([]);
  }
});

test('audit writes no page for lines', async () => {
  const url = await server({ '/audit/export': { type: 'text/html', body: PAGE } });
  expect(await run(url, 'audit', '--jsonl')).toEqual({
    exit: EXIT.REFUSED,
    out: '',
    err: expect.stringContaining('is not a Parley server'),
  });
});

test.each([
  ['of another session', logOf('t'.repeat(22))],
  ['without an event', ''],
])('export-log refuses a log %s and leaves no file', async (_what, body) => {
  const url = await server({ '/log': { type: LINES, body } });
  const folder = await newFolder();
  expect((await run(url, 'export-log', SESSION, '--out', join(folder, 'log.jsonl'))).exit).toBe(EXIT.REFUSED);
  expect(await readdir(folder)).toEqual([]);
});

test('people export writes the log of people only, which may have no event', async () => {
  const folder = await newFolder();
  const out = ['--out', join(folder, 'people.jsonl')];
  const ofSession = await server({ '/log': { type: LINES, body: logOf(SESSION) } });
  expect((await run(ofSession, 'people', 'export', ...out)).exit).toBe(EXIT.REFUSED);
  expect(await readdir(folder)).toEqual([]);
  const empty = await server({ '/log': { type: LINES, body: '' } });
  expect((await run(empty, 'people', 'export', ...out)).exit).toBe(EXIT.OK);
});

const REPORT = { ok: true, events: 1, head: { seq: 1, hash: 'h' } };
const VERIFIED = { body: JSON.stringify(REPORT) };

test.each([
  ['verify-log', [SESSION], logOf('t'.repeat(22))],
  ['people', ['verify'], logOf(SESSION)],
])('%s fails for the log of another session', async (command, args, body) => {
  const url = await server({ '/log': { type: LINES, body }, '/verify-log': VERIFIED });
  expect(await run(url, command, ...args)).toMatchObject({
    exit: EXIT.MISMATCH,
    out: expect.stringContaining('broken  event 1, SESSION_MISMATCH: Event 1 belongs to another session.'),
  });
});

test.each([
  ['says that the log is not whole', { ...REPORT, ok: false }, EXIT.MISMATCH],
  ['says nothing about the log', {}, EXIT.REFUSED],
  ['says that the log is whole in other words', { ...REPORT, ok: 'yes' }, EXIT.REFUSED],
])('a verification fails if the server %s', async (_what, answer, exit) => {
  const verified = { body: JSON.stringify(answer) };
  const url = await server({
    [`/${SESSION}/log`]: { type: LINES, body: logOf(SESSION) },
    '/people/log': { type: LINES, body: logOf('people') },
    '/verify-log': verified,
  });
  for (const line of [
    ['verify-log', SESSION],
    ['people', 'verify'],
  ])
    expect((await run(url, ...line)).exit, line.join(' ')).toBe(exit);
});

test.each([
  ['a page', { type: 'text/html', body: PAGE }],
  ['nothing', { status: 204, type: '', body: '' }],
])('watch ends if the events are %s', async (_what, answer) => {
  const url = await server({ '/events': answer });
  expect(await run(url, 'watch', SESSION)).toEqual({
    exit: EXIT.REFUSED,
    out: '',
    err: expect.stringMatching(/^parley: The server at \S+ is not a Parley server: .* Check PARLEY_URL\.$/),
  });
});

test('watch refuses an event whose data are not those of its kind', async () => {
  const at = '2026-11-29T12:00:00.000Z';
  const event = { seq: 1, at, v: 1, kind: 'turn.posted', actor: 'agent_a', data: { summary: { length: 7 } } };
  const url = await server({
    '/events': { type: 'text/event-stream', body: `id: 1\ndata: ${JSON.stringify(event)}\n\n` },
  });
  expect(await run(url, 'watch', SESSION)).toEqual({
    exit: EXIT.REFUSED,
    out: '',
    err: expect.stringMatching(/^parley: The answer to watch is not as expected: its member data\.\w+ is missing/),
  });
});
