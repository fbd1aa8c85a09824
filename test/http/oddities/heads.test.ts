import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MCP, REST, restPath } from '../../support/requests.ts';
import { requestBytes } from './support/request.ts';
import { openService, type Service } from './support/service.ts';
import { expectVerdict } from './support/verdict.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const PLACES = {
  turns: () => restPath(service.sessionId, 'turns'),
  state: () => restPath(service.sessionId, 'state'),
  unknown: () => restPath(service.sessionId, 'nowhere'),
  health: () => `${REST}/health`,
  mcp: () => MCP,
  'path token': () => `${MCP}/${service.tokens.agent_b}`,
} as const;

type Row = readonly [method: string, place: keyof typeof PLACES, verdict: string, allow: string | undefined];

const METHODS: readonly Row[] = [
  ['OPTIONS', 'turns', '204 empty', 'GET, POST, OPTIONS'],
  ['OPTIONS', 'unknown', '204 empty', 'GET, POST, OPTIONS'],
  ['OPTIONS', 'mcp', '204 empty', 'POST, OPTIONS'],
  ['OPTIONS', 'path token', '204 empty', 'POST, OPTIONS'],
  ['GET', 'turns', '405 METHOD_NOT_ALLOWED', 'POST, OPTIONS'],
  ['POST', 'state', '405 METHOD_NOT_ALLOWED', 'GET, OPTIONS'],
  ['POST', 'health', '405 METHOD_NOT_ALLOWED', 'GET, OPTIONS'],
  ['PUT', 'turns', '405 METHOD_NOT_ALLOWED', 'POST, OPTIONS'],
  ['PATCH', 'turns', '405 METHOD_NOT_ALLOWED', 'POST, OPTIONS'],
  ['DELETE', 'state', '405 METHOD_NOT_ALLOWED', 'GET, OPTIONS'],
  ['TRACE', 'state', '405 METHOD_NOT_ALLOWED', 'GET, OPTIONS'],
  ['QUERY', 'state', '405 METHOD_NOT_ALLOWED', 'GET, OPTIONS'],
  ['PROPFIND', 'unknown', '404 NOT_FOUND', undefined],
  ['GET', 'mcp', '405 -32600', 'POST, OPTIONS'],
  ['DELETE', 'path token', '405 -32600', 'POST, OPTIONS'],
  ['BREW', 'turns', '400 empty', undefined],
  ['post', 'turns', '400 empty', undefined],
  ['GET,POST', 'turns', '400 empty', undefined],
  ['CONNECT', 'state', 'closed', undefined],
];

describe('a method', () => {
  it.each(METHODS)('%s of %s is %s', async (method, place, verdict, allow) => {
    const request = { method, target: PLACES[place](), headers: ['Content-Length: 0'] };
    const answer = await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], verdict);
    if (answer !== 'closed') expect(answer.headers.allow).toBe(allow);
  });

  it.each([
    ['state', 405, 'GET, OPTIONS'],
    ['turns', 405, 'POST, OPTIONS'],
    ['health', 200, undefined],
    ['unknown', 404, undefined],
    ['mcp', 405, 'POST, OPTIONS'],
  ] as const)('HEAD of %s is %i without a body', async (place, status, allow) => {
    const bytes = requestBytes(service.tokens.agent_b, { method: 'HEAD', target: PLACES[place]() });
    const answer = await expectVerdict(service, [bytes], `${status} empty`, { isBodiless: true });
    expect(answer).toMatchObject({ headers: { 'content-length': expect.stringMatching(/^[1-9]\d*$/) } });
    if (answer !== 'closed') expect(answer.headers.allow).toBe(allow);
  });

  it('is taken from the request line, not from a header', async () => {
    const headers = ['X-HTTP-Method-Override: POST', 'X-HTTP-Method: POST', 'X-Method-Override: POST'];
    const bytes = requestBytes(service.tokens.agent_b, { target: PLACES.turns(), headers });
    await expectVerdict(service, [bytes], '405 METHOD_NOT_ALLOWED');
  });

  it('GET has no use for a body', async () => {
    const request = { method: 'GET', target: PLACES.state(), body: '{"nonsense"' };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], '200 ok');
  });
});

type Credentials = (token: string) => readonly string[];
type CredentialRow = readonly [name: string, credentials: Credentials, isGood: boolean];

const CREDENTIALS: readonly CredentialRow[] = [
  ['one header', (token) => [`Authorization: Bearer ${token}`], true],
  ['blanks around its value', (token) => [`Authorization: \t Bearer ${token} \t`], true],
  ['another case of the name', (token) => [`AUTHORIZATION: Bearer ${token}`], true],
  ['two headers', (token) => [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`], false],
  [
    'two headers in different cases',
    (token) => [`authorization: Bearer ${token}`, `AUTHORIZATION: Bearer ${token}`],
    false,
  ],
  ['a good header behind a bad one', (token) => ['Authorization: Basic eDp5', `Authorization: Bearer ${token}`], false],
  ['an empty header beside it', (token) => [`Authorization: Bearer ${token}`, 'Authorization:'], false],
  ['two tokens in one header', (token) => [`Authorization: Bearer ${token}, Bearer ${token}`], false],
  ['an empty header', () => ['Authorization:'], false],
  ['another case of the scheme', (token) => [`Authorization: bearer ${token}`], false],
  ['two spaces', (token) => [`Authorization: Bearer  ${token}`], false],
  ['a tab', (token) => [`Authorization: Bearer\t${token}`], false],
  ['quotes', (token) => [`Authorization: Bearer "${token}"`], false],
  ['a token escaped for an address', (token) => [`Authorization: Bearer ${token.replace('_', '%5F')}`], false],
  ['bytes above ASCII', () => [`Authorization: Bearer prt_${'\u00e9'.repeat(30)}`], false],
  ['15,000 characters', () => [`Authorization: Bearer prt_${'a'.repeat(15_000)}`], false],
  ['another header', (token) => [`X-Authorization: Bearer ${token}`, `Proxy-Authorization: Bearer ${token}`], false],
  ['a cookie', (token) => [`Cookie: token=${token}; Authorization=Bearer ${token}`], false],
  ['a header behind 2,000 others', (token) => [...Array(2_000).fill('a:b'), `Authorization: Bearer ${token}`], false],
];

describe('the Authorization header', () => {
  it.each(CREDENTIALS)('REST: %s', async (_name, credentials, isGood) => {
    const request = { target: PLACES.state(), credentials: credentials(service.tokens.agent_b) };
    await expectVerdict(service, [requestBytes('', request)], isGood ? '200 ok' : '401 UNAUTHORIZED');
  });

  it.each(CREDENTIALS)('MCP: %s', async (_name, credentials, isGood) => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const request = { target: MCP, credentials: credentials(service.tokens.agent_b), body };
    await expectVerdict(service, [requestBytes('', request)], isGood ? '200 ok' : '401 -32001');
  });
});

describe('the Idempotency-Key header', () => {
  const passed = '409 NOT_YOUR_TURN';
  const refused = '422 INVALID_INPUT';
  it.each([
    [['k'], passed],
    [['"k"'], passed],
    [['a'.repeat(200)], passed],
    [['a'.repeat(201)], refused],
    [[''], refused],
    [['""'], refused],
    [['two words'], refused],
    [['caf\u00e9'], refused],
    [['k', 'k'], refused],
  ])('%.60j is %s', async (values, verdict) => {
    const headers = values.map((value) => `Idempotency-Key: ${value}`);
    const request = { target: PLACES.turns(), headers, body: '{"summary":"Offsets hurt."}' };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], verdict);
  });

  it('has no meaning by MCP', async () => {
    const request = {
      target: MCP,
      headers: ['Idempotency-Key: two words'],
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], '200 ok');
  });
});
