import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createOwnerClient } from '../../../src/cli/client/owner-client.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { followEvents } from '../../../src/cli/sessions/watch.ts';
import { commandsAt } from '../../commands.ts';
import { listen } from '../../listen.ts';
import { KEY } from '../../running-app.ts';

const REFUSAL = {
  error: 'RATE_LIMITED',
  message: 'The limit for this minute is reached; try again in 1 s.',
  hint: 'Wait as many seconds as retry_after_seconds says, then send the call again.',
  retry_after_seconds: 1,
};

const EMPTY_INBOX = {
  ...{ sessions: [], tasks: 0, unread: 0, next_after: null },
  counts: { open: 0, parked: 0, absent: 0 },
};

const EVENT = { seq: 1, at: '2026-11-29T12:00:00.000Z', v: 1, actor: 'owner', kind: 'session.started', data: {} };
const STREAM = `id: 1\ndata: ${JSON.stringify(EVENT)}\n\n`;

interface Refusing {
  /** Number of requests that are refused with 429 before others are answered. */
  readonly refused: number;
  readonly body?: object;
  readonly after?: string;
}

/** A server that refuses requests with 429, then answers each with an empty inbox. Counts the requests. */
async function limitedServer({ refused, body = REFUSAL, after = '1' }: Refusing) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isRefused = asked.length <= refused;
    response.writeHead(isRefused ? 429 : 200, { 'content-type': 'application/json', 'retry-after': after });
    response.end(JSON.stringify(isRefused ? body : EMPTY_INBOX));
  });
  const url = await listen(server);
  const run = commandsAt(url);
  return { url, asked, run };
}

test('a read that the service or a proxy refuses with 429 says when it reads again, and reads once then', async () => {
  const servers = [await limitedServer({ refused: 1 }), await limitedServer({ refused: 1, body: {} })];
  for (const read of await Promise.all(servers.map(({ run }) => run('waiting', '--json'))))
    expect(read).toMatchObject({ code: EXIT.OK, err: 'Too many requests in this minute. Reading again in 1 s.' });
  expect(servers.map(({ asked }) => asked.length)).toEqual([2, 2]);
});

test('a read that is refused for longer than two minutes ends with the refusal at once', async () => {
  const { asked, run } = await limitedServer({ refused: 9, body: { ...REFUSAL, retry_after_seconds: 3_600 } });
  const { code, err } = await run('waiting');
  expect([code, asked.length]).toEqual([EXIT.REFUSED, 1]);
  expect(err).toContain('parley: RATE_LIMITED: The limit for this minute is reached');
});

test('reads that are refused again and again pause for ten minutes at most', async () => {
  const { url } = await limitedServer({ refused: 99, body: { ...REFUSAL, retry_after_seconds: 100 } });
  const pauses: number[] = [];
  const client = createOwnerClient(url, KEY, { pause: async (ms) => pauses.push(ms) });
  for (let at = 0; at < 9; at += 1) await expect(client.call('inbox')).rejects.toThrow('RATE_LIMITED');
  expect(pauses).toEqual(Array.from({ length: 6 }, () => 100_000));
});

test('a write that is refused with 429 is sent once, and says when it can be sent again', async () => {
  const { asked, run } = await limitedServer({ refused: 9 });
  const { code, out } = await run('pause', 'A'.repeat(22), '--reason', 'Lunch.', '--json');
  expect([code, asked.filter((one) => one.startsWith('POST'))]).toEqual([
    EXIT.REFUSED,
    [`POST /owner/api/sessions/${'A'.repeat(22)}/pause`],
  ]);
  expect(out).toContain('"retry_after_seconds":1');
});

/** Follows the events of a server up to the first, which comes after this many of these answers. */
async function firstEvent(before: number, answer: (response: ServerResponse) => void) {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    if (asked <= before) answer(response);
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM);
  });
  const url = await listen(server);
  const client = createOwnerClient(url, KEY, { pause: async () => undefined });
  const lost: string[] = [];
  const onLost = (reason: string): void => void lost.push(reason);
  const events = followEvents(client, { sessionId: 'A'.repeat(22), after: 0, onLost });
  const { value } = await events.next();
  await events.return(undefined);
  return { value, asked, lost };
}

test('a stream that is refused or ended goes on with its first event, and says once why it was lost', async () => {
  const refuse = (status: number, error: string) => (response: ServerResponse) =>
    void response.writeHead(status, { 'retry-after': '1' }).end(JSON.stringify({ error }));
  const endAtOnce = (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 1000\n\n');
  const followed = await Promise.all([
    // More than the client itself sends again.
    firstEvent(5, refuse(429, 'Too Many Requests')),
    firstEvent(2, refuse(502, 'Bad Gateway')),
    firstEvent(2, refuse(504, 'Gateway Timeout')),
    firstEvent(3, endAtOnce),
  ]);
  expect(followed).toEqual([
    { value: EVENT, asked: 6, lost: ['Too Many Requests: no reason given'] },
    { value: EVENT, asked: 3, lost: ['Bad Gateway: no reason given'] },
    { value: EVENT, asked: 3, lost: ['Gateway Timeout: no reason given'] },
    { value: EVENT, asked: 4, lost: ['the server ends each answer at once'] },
  ]);
});
