import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, type TestContext, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { listen } from '../listen.ts';
import { newFolder } from '../new-folder.ts';
import { runAs } from './joined.ts';

const TOKEN = `prt_${'t'.repeat(60)}`;

const refusal = (status: number, body: object) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Answers of a broken service to any call. */
const FAULTS = {
  'answers 500 as text': (response: ServerResponse) => void response.writeHead(500).end('Internal Server Error'),
  'answers 500 INTERNAL': refusal(500, { ok: false, error: 'INTERNAL', message: 'Failed.', hint: 'Try again.' }),
  'answers 503 with a pause': refusal(503, {
    ok: false,
    error: 'SHUTTING_DOWN',
    message: 'Stops.',
    retry_after_seconds: 1,
  }),
  'answers 502 of a proxy': (response: ServerResponse) => void response.writeHead(502).end('<html>Bad gateway</html>'),
  'answers 200 with a page': (response: ServerResponse) => void response.writeHead(200).end('<html>Sign in</html>'),
  'answers an error of JSON-RPC': refusal(200, {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32_603, message: 'Internal' },
  }),
  'breaks off': (response: ServerResponse) => void response.destroy(),
  'ends in the middle of its JSON': (response: ServerResponse) =>
    void response.writeHead(200).end('{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"status":"ACT'),
  hangs: () => {},
} as const;

async function brokenService(fault: (response: ServerResponse) => void, context: TestContext) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().once('end', () => fault(response));
  });
  const url = await listen(server, context);
  const environment = { PARLEY_URL: url, PARLEY_TOKEN: TOKEN, HOME: await newFolder(context) };
  return { environment, requests: () => requests };
}

describe.concurrent.each(Object.entries(FAULTS))('a service that %s', (_name, fault) => {
  test('does not end parley wait before its timeout; the command prints one line and makes a few requests', async (context) => {
    const { environment, requests } = await brokenService(fault, context);
    const { terminal, exit } = runAs(environment, ['wait', '--timeout', '1']);
    expect(await exit).toBe(7);
    expect(terminal.output()).toBe('The service did not answer. Run parley wait again.');
    expect(terminal.errors().split('\n')).toEqual([expect.stringMatching(/^parley: trying again: \D/)]);
    expect(requests()).toBeLessThanOrEqual(5);
  });

  test('makes parley hook let the client stop, and start without a task', async (context) => {
    const { environment } = await brokenService(fault, context);
    const hook = async (event: string): Promise<string> => {
      const terminal = { ...fakeTerminal(environment), input: async () => JSON.stringify({ hook_event_name: event }) };
      expect(await runCli(['hook', '--away', '1'], terminal)).toBe(0);
      return terminal.output();
    };
    expect(JSON.parse(await hook('Stop')).systemMessage).toContain('The service does not answer, so the agent stops');
    // For a service that hangs, a call takes 20 seconds, so the second call is left out.
    if (fault !== FAULTS.hangs) expect(await hook('SessionStart')).toBe('');
  });
});

test('an answer that ends in the middle of its JSON is a lost connection, not the answer of another server', async (context) => {
  const { environment } = await brokenService(FAULTS['ends in the middle of its JSON'], context);
  const { terminal, exit } = runAs(environment, ['wait', '--timeout', '1']);
  expect(await exit).toBe(7);
  expect(terminal.errors()).toBe(
    `parley: trying again: The answer of ${environment.PARLEY_URL} broke off (it ends in the middle of its JSON). Try again.`,
  );
});

const OTHER_FORM = refusal(200, { jsonrpc: '2.0', id: 1, result: { structuredContent: { status: 'ACTIVE' } } });

test('a state of another form ends parley wait at once, and parley hook lets the client stop', async (context) => {
  const { environment, requests } = await brokenService(OTHER_FORM, context);
  const reason = `parley: The answer to read_session_state is not as expected: its member phase is missing or has another form. The server at ${environment.PARLEY_URL} may have another version, or it is not a Parley server. Check PARLEY_URL.`;
  const { terminal, exit } = runAs(environment, ['wait']);
  expect(await exit).toBe(1);
  expect(terminal.errors()).toBe(reason);
  const hook = { ...fakeTerminal(environment), input: async () => JSON.stringify({ hook_event_name: 'Stop' }) };
  expect(await runCli(['hook'], hook)).toBe(0);
  expect([hook.output(), hook.errors()]).toEqual(['', reason]);
  expect(requests()).toBe(2);
});

const EXPIRED = refusal(401, {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32_001,
    message: 'The token has expired.',
    data: { ok: false, error: 'TOKEN_EXPIRED', message: 'The token has expired.', hint: 'Ask the owner for another.' },
  },
});

test('if the token has expired, parley wait exits with 4, and parley hook lets the client stop', async (context) => {
  const { environment, requests } = await brokenService(EXPIRED, context);
  const { terminal, exit } = runAs(environment, ['wait']);
  expect(await exit).toBe(4);
  expect(terminal.errors()).toBe('parley: TOKEN_EXPIRED: The token has expired.\nAsk the owner for another.');
  const hook = { ...fakeTerminal(environment), input: async () => JSON.stringify({ hook_event_name: 'Stop' }) };
  expect(await runCli(['hook'], hook)).toBe(0);
  expect(JSON.parse(hook.output()).systemMessage).toContain('Parley: TOKEN_EXPIRED: ');
  expect(requests()).toBe(2);
});
