import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REST } from '../../support/requests.ts';
import type { Piece } from './support/raw.ts';
import { chunked, type Request, requestBytes, toolCall, turnTargets } from './support/request.ts';
import { openService, type Service } from './support/service.ts';
import { expectVerdict } from './support/verdict.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const TURN = '{"summary":"Offsets hurt."}';
const HOSTS = {
  REST: { json: TURN, passed: '409 NOT_YOUR_TURN', none: '422 INVALID_INPUT' },
  MCP: { json: toolCall(TURN), passed: '200 NOT_YOUR_TURN', none: '400 -32700' },
} as const;
const CHUNKED = 'Transfer-Encoding: chunked';

type Host = (typeof HOSTS)[keyof typeof HOSTS];
type Frame = (json: string) => Partial<Request>;
type Row = readonly [name: string, frame: Frame, verdict: string | keyof Host];

const inOne = (json: string): string => `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
const lengthOf = (json: string): string => `Content-Length: ${json.length}`;

const LENGTHS: readonly Row[] = [
  ['a length', (body) => ({ headers: [lengthOf(body)], body }), 'passed'],
  ['no length and no body', () => ({}), 'none'],
  ['the length 0', () => ({ headers: ['Content-Length: 0'] }), 'none'],
  ['a length with leading zeros', (body) => ({ headers: [`Content-Length: 000${body.length}`], body }), 'passed'],
  ['the same length twice', (body) => ({ headers: [lengthOf(body), lengthOf(body)], body }), '400 empty'],
  ['two lengths', (body) => ({ headers: [lengthOf(body), 'Content-Length: 2'], body }), '400 empty'],
  ['a list of lengths', (body) => ({ headers: [`${lengthOf(body)}, ${body.length}`], body }), '400 empty'],
  ['a length below zero', (body) => ({ headers: ['Content-Length: -1'], body }), '400 empty'],
  ['a length with a plus sign', (body) => ({ headers: [`Content-Length: +${body.length}`], body }), '400 empty'],
  ['a length in hexadecimal', (body) => ({ headers: ['Content-Length: 0x20'], body }), '400 empty'],
  ['a length without a number', (body) => ({ headers: ['Content-Length:'], body }), '400 empty'],
  ['a length beyond 64 bits', (body) => ({ headers: ['Content-Length: 99999999999999999999'], body }), '400 empty'],
  ['a length and chunks', (body) => ({ headers: [lengthOf(body), CHUNKED], body: inOne(body) }), '400 empty'],
  ['chunks and a length', (body) => ({ headers: [CHUNKED, lengthOf(body)], body: inOne(body) }), '400 empty'],
];

const CHUNKS: readonly Row[] = [
  ['one chunk', (body) => ({ headers: [CHUNKED], body: inOne(body) }), 'passed'],
  ['chunks of one byte', (body) => ({ headers: [CHUNKED], body: chunked(Buffer.from(body), 1) }), 'passed'],
  ['only the last chunk', () => ({ headers: [CHUNKED], body: '0\r\n\r\n' }), 'none'],
  ['an extension', (body) => ({ headers: [CHUNKED], body: inOne(body).replace('\r\n', ';a="b"\r\n') }), 'passed'],
  [
    'an extension of 20,000 characters',
    (body) => ({ headers: [CHUNKED], body: inOne(body).replace('\r\n', `;a=${'b'.repeat(20_000)}\r\n`) }),
    '413 empty',
  ],
  [
    'trailers, which count for nothing',
    (body) => ({ headers: [CHUNKED], body: inOne(body).replace(/\r\n$/, 'Authorization: Basic eDp5\r\n\r\n') }),
    'passed',
  ],
  [
    'a length among the trailers',
    (body) => ({ headers: [CHUNKED], body: inOne(body).replace(/\r\n$/, 'Content-Length: 5\r\n\r\n') }),
    '400 empty',
  ],
  ['a size that is no number', () => ({ headers: [CHUNKED], body: 'xyz\r\n{}\r\n0\r\n\r\n' }), '400 empty'],
  ['a size below zero', () => ({ headers: [CHUNKED], body: '-2\r\n{}\r\n0\r\n\r\n' }), '400 empty'],
  ['a size with 0x', () => ({ headers: [CHUNKED], body: '0x2\r\n{}\r\n0\r\n\r\n' }), '400 empty'],
  ['a size beyond 64 bits', () => ({ headers: [CHUNKED], body: `${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n` }), '400 empty'],
  ['a size that is too small', () => ({ headers: [CHUNKED], body: '1\r\n{}\r\n0\r\n\r\n' }), '400 empty'],
  ['line ends without a return', () => ({ headers: [CHUNKED], body: '2\n{}\n0\n\n' }), '400 empty'],
];

const CODINGS: readonly Row[] = [
  ['gzip alone', (body) => ({ headers: ['Transfer-Encoding: gzip'], body }), '400 empty'],
  ['identity', (body) => ({ headers: ['Transfer-Encoding: identity'], body }), '400 empty'],
  ['one that only ends in chunked', (body) => ({ headers: ['Transfer-Encoding: xchunked'], body }), '400 empty'],
  [
    'chunked before gzip',
    (body) => ({ headers: ['Transfer-Encoding: chunked, gzip'], body: inOne(body) }),
    '400 empty',
  ],
  ['chunked twice', (body) => ({ headers: [CHUNKED, CHUNKED], body: inOne(body) }), '400 empty'],
  ['chunked behind a vertical tab', (body) => ({ headers: ['Transfer-Encoding: \x0bchunked'], body }), '400 empty'],
  ['chunked in capitals', (body) => ({ headers: ['TRANSFER-ENCODING: CHUNKED'], body: inOne(body) }), 'passed'],
];

const VERSIONS: readonly Row[] = [
  ['1.0', (body) => ({ version: '1.0', body }), 'passed'],
  ['1.0 without a length', () => ({ version: '1.0' }), 'none'],
  ['1.2', (body) => ({ version: '1.2', body }), '400 empty'],
  ['11', (body) => ({ version: '11', body }), '400 empty'],
  ['x.y', (body) => ({ version: 'x.y', body }), '400 empty'],
];

const HEADERS: readonly Row[] = [
  ['folded over two lines', (body) => ({ headers: ['X-Long: a', ' b'], body }), '400 empty'],
  ['with a space before the colon', (body) => ({ headers: ['X-Space : a'], body }), '400 empty'],
  ['without a name', (body) => ({ headers: [': a'], body }), '400 empty'],
  ['without a colon', (body) => ({ headers: ['nonsense'], body }), '400 empty'],
  ['with U+0000', (body) => ({ headers: ['X-Zero: a\0b'], body }), '400 empty'],
  ['with a bare return', (body) => ({ headers: ['X-Return: a\rb: c'], body }), '400 empty'],
  ['of 17,000 characters', (body) => ({ headers: [`X-Long: ${'a'.repeat(17_000)}`], body }), '431 empty'],
  ['that asks for an upgrade', (body) => ({ headers: ['Connection: Upgrade', 'Upgrade: websocket'], body }), 'passed'],
  ['that asks for HTTP/2', (body) => ({ headers: ['Connection: Upgrade', 'Upgrade: h2c'], body }), 'passed'],
  ['that is hop-by-hop for Authorization', (body) => ({ headers: ['Connection: Authorization'], body }), 'passed'],
  ['Host twice', (body) => ({ headers: ['Host: elsewhere.example'], body }), '400 empty'],
  ['the same Host twice', (body) => ({ headers: ['host: parley.example'], body }), '400 empty'],
];

const TABLES = { LENGTHS, CHUNKS, CODINGS, VERSIONS, HEADERS };
const ROWS = Object.entries(TABLES).flatMap(([table, rows]) => rows.map((row) => [table, ...row] as const));

describe.each(['REST', 'MCP'] as const)('%s', (host) => {
  const { json, ...verdicts } = HOSTS[host];
  it.each(ROWS)('%s: %s', async (_table, _name, ...[frame, verdict]) => {
    const expected = verdict in verdicts ? Object(verdicts)[verdict] : verdict;
    const request = { method: 'POST', target: turnTargets(service)[host], ...frame(json) };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], expected);
  });

  const head = (...headers: string[]): Buffer =>
    requestBytes(service.tokens.agent_b, { method: 'POST', target: turnTargets(service)[host], headers });

  it('Expect: 100-continue is met where the body is wanted', async () => {
    const pieces: Piece[] = [head('Expect: 100-continue', lengthOf(json)), 50, json];
    expect(await expectVerdict(service, pieces, verdicts.passed)).toMatchObject({ interim: [100] });
  });

  it('Expect: 100-continue is not waited for by a client in a hurry', async () => {
    await expectVerdict(service, [head('Expect: 100-continue', lengthOf(json)), json], verdicts.passed);
  });

  it('Expect: 100-continue with a length that is too large is refused without asking', async () => {
    const verdict = host === 'REST' ? '413 BODY_TOO_LARGE' : '413 -32600';
    const answer = await expectVerdict(service, [head('Expect: 100-continue', 'Content-Length: 900000')], verdict);
    expect(answer).toMatchObject({ interim: [] });
  });

  it('ignores an unknown expectation', async () => {
    await expectVerdict(service, [head('Expect: a-miracle', lengthOf(json)), json], verdicts.passed);
  });

  it('a body in pieces of a few bytes is read to its end', async () => {
    const pieces = [...json].flatMap((char, index): Piece[] => (index % 12 === 0 ? [2, char] : [char]));
    await expectVerdict(service, [head(lengthOf(json)), ...pieces], verdicts.passed);
  });

  it('half a body is nothing when its sender ends', async () => {
    await expectVerdict(service, [head(lengthOf(json)), json.slice(0, 20)], '400 empty', { hangUpAfterMs: 50 });
  });

  it('half a chunk is nothing when its sender ends', async () => {
    const half = inOne(json).slice(0, 20);
    await expectVerdict(service, [head(CHUNKED), half], '400 empty', { hangUpAfterMs: 50 });
  });
});

describe('bytes that begin no request', () => {
  const line = `GET ${REST}/health`;
  it.each([
    ['a request line alone, and then the end', `${line} HTTP/1.1\r\n`, '400 empty'],
    ['no Host', `${line} HTTP/1.1\r\n\r\n`, '400 empty'],
    ['no Host in HTTP/1.0, which needs none', `${line} HTTP/1.0\r\n\r\n`, '200 ok'],
    ['empty lines ahead of a request', `\r\n\r\n${line} HTTP/1.1\r\nHost: a\r\n\r\n`, '200 ok'],
    ['line ends without a return', `${line} HTTP/1.1\nHost: a\n\n`, '400 empty'],
    ['two spaces in the request line', `GET  ${REST}/health HTTP/1.1\r\nHost: a\r\n\r\n`, '200 ok'],
    ['no method', `${REST}/health HTTP/1.1\r\n\r\n`, '400 empty'],
    ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 empty'],
    ['the greeting of TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03', '400 empty'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.0\r\n', '400 empty'],
    ['zeros', '\0'.repeat(100), '400 empty'],
    ['nothing at all', '', 'closed'],
  ])('%s: %j is %s', async (_name, text, verdict) => {
    await expectVerdict(service, [Buffer.from(text, 'latin1')], verdict, { hangUpAfterMs: 50 });
  });
});
