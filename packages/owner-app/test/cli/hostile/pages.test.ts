import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { pagesOf } from '../../../src/cli/client/lists.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import type { Json } from '../../../src/text/read-as.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { listen } from '../../listen.ts';
import { callOf, wholeAnswer } from './whole-answer.ts';

const SESSION = 's'.repeat(22);
/** The members of a page whose next page is the same page. */
const AGAIN = {
  ...{ more: true, next_cursor: 5, next_after: 'again', since: 'r_1' },
  ...{ changes: [{ section: 'tasks', count: 1 }], contract: {}, markdown: '# C' },
};

/** A server that answers every request with this page, until a client has sent a hundred of them. */
async function endlessServer() {
  let requests = 0;
  const server = createServer(({ method, url }, response) => {
    requests += 1;
    const call = callOf(method, url);
    const page = { ...wholeAnswer(call), ...AGAIN, ...(call === 'inbox' && { unread: 0 }) };
    response.writeHead(requests > 100 ? 500 : 200).end(JSON.stringify(page));
  });
  return await listen(server);
}

test.each([
  [['sessions']],
  [['sessions', '--idle', '1h']],
  [['view', 'ssss']],
  [['waiting']],
  [['find', 'key']],
  [['audit']],
  [['transcript', SESSION, '--last', '3']],
  [['transcript', SESSION, '--kind', 'turn']],
  [['plan', SESSION, '--unread']],
])('%j ends if a server sends the same page again and again', async (args) => {
  const terminal = fakeTerminal({ PARLEY_URL: await endlessServer(), PARLEY_OWNER_KEY: 'k'.repeat(43) });
  expect({ exit: await runCli(args, terminal), err: terminal.errors() }).toEqual({
    exit: EXIT.REFUSED,
    err: 'parley: The answers of the server are a list without an end: a page leads to an earlier page. Check PARLEY_URL.',
  });
});

test('waiting looks again only while fewer sessions are left to read', async () => {
  const unread = [1e308, 900, 700, 700, 700, 700];
  let requests = 0;
  const server = createServer(({ method, url }, response) => {
    const call = callOf(method, url);
    const page = {
      ...wholeAnswer(call),
      next_after: null,
      ...(call === 'inbox' && { unread: unread[requests++] ?? 0 }),
    };
    response.end(JSON.stringify(page));
  });
  const PARLEY_URL = await listen(server);
  const terminal = fakeTerminal({ PARLEY_URL, PARLEY_OWNER_KEY: 'k'.repeat(43) });
  expect(await runCli(['waiting'], terminal)).toBe(EXIT.OK);
  expect(requests).toBe(4);
});

/** Reads pages of which each leads to a new one, until the reading ends. */
async function readEndless(text: unknown) {
  let count = 0;
  const read = async (): Promise<Json> => ({ next_after: `page ${count}`, text });
  const reading = (async () => {
    for await (const _page of pagesOf(read)) count += 1;
  })();
  return { error: await reading.catch((error: Error) => error.message), count };
}

test('a list has at most 10,000 pages', async () => {
  expect(await readEndless('')).toEqual({
    error:
      'The answers of the server are a list of more than 10000 pages. Check PARLEY_URL, or ask for less with the flags of the command.',
    count: 10_000,
  });
});

test('the pages of a list have at most 128 MB together', async () => {
  expect(await readEndless('x'.repeat(10_000_000))).toEqual({
    error:
      'The answers of the server are a list of more than 128 MB. Check PARLEY_URL, or ask for less with the flags of the command.',
    count: 13,
  });
});

test('the pages of a list have at most 2,000,000 objects and arrays together', async () => {
  expect(await readEndless(Array.from({ length: 300_000 }, () => []))).toEqual({
    error:
      'The answers of the server are a list of more than 2000000 records. Check PARLEY_URL, or ask for less with the flags of the command.',
    count: 7,
  });
});

test('pages are followed to the last', async () => {
  const pages: Readonly<Record<string, Json>> = {
    '': { n: 1, next_after: 'a' },
    a: { n: 2, next_after: 'b' },
    b: { n: 3, next_after: null },
  };
  const found: unknown[] = [];
  for await (const { n } of pagesOf(async (after) => pages[after] ?? {})) found.push(n);
  expect(found).toEqual([1, 2, 3]);
});
