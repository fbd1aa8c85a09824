import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** Control characters, escape sequences in both forms, a colour, and marks that reorder or hide letters. */
const EVIL =
  '\u001b]0;owned\u0007\u001b[2J\u001b[32mFAKE\u001b[0m\u001b[8m\u009b31m\u009d0;x\u009c\u0000\u0008\r\u202e\u2066\u2028\ue000\u{e0041}';

/** A line that looks like one of the program. */
export const FORGED = 'FORGED approved by Owner';

/** A command that a shell would run if the id before it were not quoted. */
export const COMMAND = ';touch$IFS/x';

type Answer = (response: ServerResponse, real: Response, request: IncomingMessage) => Promise<void> | void;

/** Each string of a JSON value that `isChosen` accepts gets a hostile end. */
const corrupted = (text: string, { isChosen, end = EVIL }: Corruption): string =>
  JSON.stringify(JSON.parse(text), (name, value: unknown) =>
    typeof value === 'string' && isChosen(value, name) ? value + end : value,
  );

interface Corruption {
  readonly isChosen: (value: string, name: string) => boolean;
  readonly end?: string;
}

const corruptLines =
  (corruption: Corruption): Answer =>
  async (response, real) => {
    response.writeHead(real.status, { 'content-type': real.headers.get('content-type') ?? '' });
    const isEvents = real.headers.get('content-type')?.startsWith('text/event-stream');
    if (!isEvents) {
      const lines = (await real.text()).trimEnd().split('\n');
      response.end(lines.map((line) => corrupted(line, corruption)).join('\n'));
      return;
    }
    for await (const chunk of real.body ?? [])
      response.write(
        new TextDecoder()
          .decode(chunk)
          .replace(/^data: (.*)$/gm, (_line, data) => `data: ${corrupted(data, corruption)}`),
      );
  };

const refusal = {
  ok: false,
  error: `NOT_FOUND${EVIL}`,
  message: `No.${EVIL}\n${FORGED}`,
  hint: EVIL,
  trace_id: EVIL,
  issues: [
    { path: EVIL, message: EVIL },
    { path: EVIL, message: EVIL },
  ],
  issues_total: 3,
};

/** Writes until the client closes the connection. */
async function flood(response: ServerResponse, head: string, part: string): Promise<void> {
  response.write(head);
  const chunk = part.repeat(Math.ceil(1_000_000 / part.length));
  while (!response.destroyed)
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
}

/** 200 MB as 200 kB. */
const BOMB = gzipSync(Buffer.alloc(200_000_000, 'x'));

/** What a hostile server changes in the answer that a real server gave. */
export const CHANGING: Readonly<Record<string, Answer>> = {
  'ends each text with control characters': corruptLines({ isChosen: (value) => /\s/.test(value) }),
  'adds a line to each text': corruptLines({ isChosen: (value) => /\s/.test(value), end: `\n${FORGED}` }),
  'ends each string with control characters': corruptLines({ isChosen: () => true }),
  'ends ids with a command of a shell': corruptLines({
    isChosen: (_value, name) => /(^|_)ids?$/.test(name) && name !== 'session_id',
    end: COMMAND,
  }),
  'ends ids of sessions with a command of a shell': corruptLines({
    isChosen: (_value, name) => name === 'session_id',
    end: COMMAND,
  }),
};

/** What a hostile server answers itself, whatever a real server answered. */
export const ANSWERING: Readonly<Record<string, Answer>> = {
  'refuses with control characters': (response) => void response.writeHead(409).end(JSON.stringify(refusal)),
  'refuses the key with control characters': (response) => void response.writeHead(401).end(JSON.stringify(refusal)),
  'refuses over JSON-RPC with control characters': (response) =>
    void response.writeHead(400).end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 1, data: refusal } })),
  'redirects elsewhere': (response) =>
    void response.writeHead(307, { location: `https://evil.example/\u009b31m?${'x'.repeat(999)}` }).end(),
  'answers with a page': (response) => void response.end(`<html>${EVIL}</html>`),
  'answers with nested lists': (response) => void response.end('['.repeat(2_000_000)),
  'answers with members of an object itself': (response) =>
    void response.end('{"__proto__":{"ok":true},"constructor":null,"toString":1,"structuredContent":{"__proto__":[]}}'),
  'sends a header that is too long': (response) =>
    void response.writeHead(200, { 'x-long': 'x'.repeat(60_000) }).end('{}'),
};

/** What a hostile server sends without an end. */
export const ENDLESS: Readonly<Record<string, Answer>> = {
  'never ends its answer': (response) => flood(response, '{"title":"', 'x'),
  'never ends its compressed answer': (response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
  'never ends an event': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return flood(response, 'id: 1\ndata: {"kind":"', 'x');
  },
};

/** A server that passes requests to a real server, and answers with `answer`. Counts the bytes that clients accepted. */
export async function hostileRelay(target: string, answer: Answer) {
  const seen: string[] = [];
  let bytes = 0;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    void relay(target, request)
      .then((real) => answer(response, real, request))
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => socket.once('close', () => (bytes += socket.bytesWritten)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${port}`, seen, bytes: () => bytes, close };
}

async function relay(target: string, request: IncomingMessage): Promise<Response> {
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const body = await buffer(request);
  return fetch(target + request.url, {
    method: request.method ?? 'GET',
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.length > 0 ? { body } : {}),
  });
}
