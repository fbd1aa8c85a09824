import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { secretGuard } from '../../../src/cli/client/answer.ts';
import { joinByMcp } from '../../../src/cli/demo/demo.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { listen } from '../../listen.ts';
import { newFolder } from '../../new-folder.ts';
import { callOf, wholeAnswer } from './whole-answer.ts';

const SESSION = 's'.repeat(22);
const KEY = `pok_${'k'.repeat(43)}`;
const TOKEN = `prt_${'t'.repeat(60)}`;
const CODE = `pinv_${'c'.repeat(60)}`;

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server that answers a request, whose secret it has read, with the answer to that secret. */
async function server(answerTo: (secret: string, request: IncomingMessage, call: string) => Answer) {
  const listening = createServer(async (request, response) => {
    const { authorization } = request.headers;
    const sent = await text(request);
    const secret = authorization?.slice('Bearer '.length) ?? /pinv_\w+/.exec(sent)?.[0] ?? '';
    const call = /"name":"(\w+)"/.exec(sent)?.[1] ?? callOf(request.method, request.url);
    const { status = 200, headers = {}, body = '{}' } = answerTo(secret, request, call);
    response.writeHead(status, headers).end(body);
  });
  return await listen(listening);
}

async function run(PARLEY_URL: string, args: readonly string[], further: Readonly<Record<string, string>> = {}) {
  const environment = { PARLEY_URL, PARLEY_DATA: '/nowhere', PARLEY_OWNER_KEY: KEY, PARLEY_TOKEN: TOKEN, ...further };
  const terminal = {
    ...fakeTerminal({ ...environment, HOME: await newFolder(), PATH: process.env.PATH ?? '' }),
    input: async () => (args[0] === 'hook' ? '{"hook_event_name":"SessionStart"}' : CODE),
  };
  const exit = await runCli(args, terminal);
  return { exit, shown: `${terminal.output()}\n${terminal.errors()}` };
}

const LINES = [
  ['sessions'],
  ['sessions', '--json'],
  ['waiting', '--json'],
  ['view', SESSION],
  ['transcript', SESSION],
  ['wait', '--timeout', '1'],
  ['hook'],
  ['connect', '--for', 'curl'],
  ['export-log', SESSION],
] as const;

/** The secret as a server can write it into JSON. */
const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => JSON.stringify(secret),
  'with escapes': (secret) => `"\\u00${(secret.charCodeAt(0)).toString(16)}${secret.slice(1)}"`,
};

test.each(Object.entries(SPELLINGS))(
  'no command prints the secret of its request, which a server sends back %s',
  async (_how, spelled) => {
    const said = (secret: string): string => spelled(secret).replace(/^"(.*)"$/, '"You sent $1 here"');
    const answered = (secret: string, call: string): string =>
      JSON.stringify({ ...wholeAnswer(call, { text: 'SAID', items: 1 }), next_after: null }).replaceAll(
        '"SAID"',
        said(secret),
      );
    const answers: Readonly<Record<string, (secret: string, call: string) => Answer>> = {
      refused: (secret) => ({
        status: 409,
        body: `{"error":${said(secret)},"message":${said(secret)},"hint":${said(secret)}}`,
      }),
      'refused over MCP': (secret) => ({
        body: `{"result":{"isError":true,"structuredContent":{"error":${said(secret)},"message":${said(secret)}}}}`,
      }),
      answered: (secret, call) => ({
        body: answered(secret, call).replace(/\}$/, `,"result":{"structuredContent":${answered(secret, call)}}}`),
      }),
    };
    for (const [what, answer] of Object.entries(answers)) {
      const url = await server((secret, _request, call) => answer(secret, call));
      for (const line of LINES) {
        const { shown } = await run(url, line);
        for (const secret of [KEY, TOKEN, CODE]) expect(shown, `${what}: ${line.join(' ')}`).not.toContain(secret);
      }
    }
  },
);

test('no command prints the secret of its request as the host of a redirect', async () => {
  const url = await server((secret) => ({
    status: 307,
    headers: { location: `https://${secret}.example/` },
  }));
  for (const line of [['sessions'], ['wait', '--timeout', '1'], ['connect', '--for', 'curl']])
    expect((await run(url, line)).shown).toMatch(
      /^parley: (?:trying again: )?http:\/\/127\.0\.0\.1:\d+ redirects\. A redirect is not followed\./m,
    );
});

test('an export ends before the owner key that a server writes into it', async () => {
  const event = JSON.stringify({ hash: 'h', event: JSON.stringify({ session_id: SESSION }) });
  const headers = { 'content-type': 'application/x-ndjson' };
  const url = await server((secret) => ({ headers, body: `${event}\n{"hash":"${secret}"}\n` }));
  expect(await run(url, ['export-log', SESSION])).toEqual({
    exit: EXIT.REFUSED,
    shown: expect.stringMatching(/The answer of \S+ contains the key that was sent, so it ends here\./),
  });
});

test('a download passes on no byte of a secret that is spread over chunks', () => {
  const guard = secretGuard(KEY);
  const passed = ['a line\n', KEY.slice(0, 20), KEY.slice(20)].map((text) => guard.next(Buffer.from(text)));
  expect(passed.pop()).toBeUndefined();
  expect(Buffer.concat(passed.map((bytes) => bytes ?? new Uint8Array())).toString()).not.toContain('p');
  const harmless = secretGuard(KEY);
  const bytes = [...'text of pok_ and its end'].map((letter) => harmless.next(Buffer.from(letter)) ?? new Uint8Array());
  expect(Buffer.concat([...bytes, harmless.rest()]).toString()).toBe('text of pok_ and its end');
});

const UNREADABLE = expect.stringMatching(
  /parley: .*The server at \S+ is not a Parley server: its answer is not a JSON object\./,
);
const nestedAnswer = (nested: string) =>
  server(() => ({ body: `{"result":{"structuredContent":{"a":${nested}}},"sessions":${nested}}` }));

test.each([
  ['deeply, in objects,', `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`],
  ['widely', `[${'[],'.repeat(2_000_000)}[]]`],
  ['with very many members', `{${Array.from({ length: 20_000 }, (_, at) => `"m${at}":1`)}}`],
  ['with very many objects of members', `[${`{${'"a":1,'.repeat(9_000)}"a":1},`.repeat(125)}0]`],
])('an answer that is nested %s is refused', async (_how, nested) => {
  const url = await nestedAnswer(nested);
  expect(await run(url, ['sessions', '--json'])).toEqual({ exit: EXIT.REFUSED, shown: UNREADABLE });
});

test('an answer that is nested deeply is refused by commands of every kind', async () => {
  const url = await nestedAnswer(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
  for (const line of [
    ['sessions', '--json'],
    ['waiting', '--json'],
    ['connect', '--for', 'curl'],
  ])
    expect(await run(url, line)).toEqual({ exit: EXIT.REFUSED, shown: UNREADABLE });
  expect(await run(url, ['wait', '--timeout', '1'])).toEqual({ exit: EXIT.TIMED_OUT, shown: UNREADABLE });
});

test('an agent of the demo reads no answer without an end', async () => {
  const url = await server((_secret, { url: path = '' }) => ({
    body: path.endsWith('/redeem')
      ? JSON.stringify({ token: TOKEN, session_id: SESSION, role: 'agent_a', expires_at: '2026-11-29T12:00:00.000Z' })
      : `{"result":{"structuredContent":{"text":"${'x'.repeat(17_000_000)}"}}}`,
  }));
  await expect(joinByMcp(url, CODE).then((call) => call('read_task', {}))).rejects.toThrow(/is longer than 16 MB/);
});

test.each([
  ['an id that is no number', 'id: 1\u0000x\ndata: {"kind":"X"}\n\n'],
  ['an id that is too long', `id: ${'9'.repeat(400)}\ndata: {"kind":"X"}\n\n`],
  ['no JSON', 'id: 1\ndata: {"kind":\n\n'],
  ['null', 'id: 1\ndata: null\n\n'],
  ['a list', 'id: 1\ndata: []\n\n'],
])('watch ends if an event has %s', async (_what, event) => {
  const url = await server((_secret, { url: path = '' }, call) =>
    path.includes('/events')
      ? { headers: { 'content-type': 'text/event-stream' }, body: event }
      : { body: JSON.stringify(wholeAnswer(call)) },
  );
  expect(await run(url, ['watch', SESSION])).toEqual({
    exit: EXIT.REFUSED,
    shown: expect.stringMatching(
      /parley: The server at \S+ is not a Parley server: an event of the session is not a numbered JSON object\./,
    ),
  });
});

/** What a command prints if an answer has not its form. */
const refused = (url: string, call: string, member: string): string =>
  `\nparley: The answer to ${call} is not as expected: ${member} is missing or has another form. The server at ${url} may have another version, or it is not a Parley server. Check PARLEY_URL.`;

test.each([
  ['a list with a command of a shell', { session_id: ['x; touch /tmp/P #'] }],
  ['an object', { session_id: { toString: 'x' } }],
  ['a number', { session_id: 7 }],
  ['a text that is no id', { session_id: 'x; touch /tmp/P #' }],
  ['a text of two lines', { session_id: `${SESSION}\n` }],
  ['nothing', {}],
])('create prints no command with %s as the id of the session', async (_what, answer) => {
  const url = await server((_secret, _request, call) => ({
    body: JSON.stringify({ ...wholeAnswer(call), session_id: undefined, ...answer }),
  }));
  expect(await run(url, ['create', '--title', 'T'])).toEqual({
    exit: EXIT.REFUSED,
    shown: refused(url, 'createSession', 'its member session_id'),
  });
});

test('a list with an id that is a list is refused', async () => {
  const url = await server(() => ({ body: '{"sessions":[{"session_id":["x; touch /tmp/P #"]}]}' }));
  expect(await run(url, ['sessions'])).toEqual({
    exit: EXIT.REFUSED,
    shown: refused(url, 'overview', 'its member sessions[0].session_id'),
  });
});

const INVITED = { code: CODE, role: 'agent_a', expires_at: '2026-11-29T12:00:00.000Z' };

test.each([
  ['a code with a line feed', { code: `${CODE}\nFORGED` }],
  ['a code with a line feed at its end', { code: `${CODE}\n` }],
  ['a list as the code', { code: [CODE] }],
  ['no code', { code: undefined }],
  ['a token as the code', { code: TOKEN.replaceAll('t', 'u') }],
  ['a role with a line feed', { role: 'agent_a\nFORGED' }],
  ['a role that no agent has', { role: 'owner' }],
  ['no role', { role: undefined }],
])('invite refuses %s', async (_what, members) => {
  const url = await server(() => ({ body: JSON.stringify({ ...INVITED, ...members }) }));
  for (const flags of [[], ['--code-only'], ['--json']])
    expect(await run(url, ['invite', SESSION, '--role', 'agent_a', ...flags]), flags.join()).toEqual({
      exit: EXIT.REFUSED,
      shown: refused(url, 'invite', `its member ${Object.keys(members)[0]}`),
    });
});

test('invite prints a time of the answer on one line', async () => {
  const url = await server(() => ({ body: JSON.stringify({ ...INVITED, expires_at: 'now\nFORGED' }) }));
  expect((await run(url, ['invite', SESSION, '--role', 'agent_a'])).shown).not.toMatch(/^FORGED/m);
});

test.each([' ', '\n', '\r\n'])('a key and a token that end with %j are replaced in answers', async (end) => {
  const url = await server((secret) => ({
    status: 409,
    body: JSON.stringify({ error: 'REFUSED', message: `You sent ${secret} here` }),
  }));
  for (const line of [['sessions'], ['wait', '--timeout', '1']]) {
    const { shown } = await run(url, line, { PARLEY_OWNER_KEY: `${KEY}${end}`, PARLEY_TOKEN: `${TOKEN}${end}` });
    expect(shown, line.join(' ')).toContain('You sent *** here');
  }
});
