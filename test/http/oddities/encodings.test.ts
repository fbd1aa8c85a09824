import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { MCP } from '../../support/requests.ts';
import { requestBytes, toolCall, turnTargets } from './support/request.ts';
import { openService, type Service } from './support/service.ts';
import { expectVerdict } from './support/verdict.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const BAD = ['400 INVALID_JSON', '400 -32700'] as const;
const ENCODED = ['415 UNSUPPORTED_ENCODING', '415 -32600'] as const;
/** If the service can read the body, it refuses the turn only because the other agent has the turn. */
const PASSED = ['409 NOT_YOUR_TURN', '200 NOT_YOUR_TURN'] as const;

const bytes =
  (...at: number[]) =>
  (json: string): Buffer => {
    const [before = '', after = ''] = json.split('Offsets');
    return Buffer.concat([Buffer.from(before), Buffer.from(at), Buffer.from(after)]);
  };

type Encode = (json: string) => Buffer;
type Row = readonly [name: string, sent: { encode: Encode; headers?: readonly string[] }, rest: string, mcp: string];

const ROWS: readonly Row[] = [
  ['UTF-8', { encode: (json) => Buffer.from(json) }, ...PASSED],
  ['UTF-8 behind a byte order mark', { encode: (json) => Buffer.from(`\ufeff${json}`) }, ...PASSED],
  ['UTF-8 behind two byte order marks', { encode: (json) => Buffer.from(`\ufeff\ufeff${json}`) }, ...BAD],
  ['a byte order mark alone', { encode: () => Buffer.from('\ufeff') }, '422 INVALID_INPUT', '400 -32700'],
  ['UTF-16', { encode: (json) => Buffer.from(json, 'utf16le') }, ...BAD],
  ['UTF-16 behind its mark', { encode: (json) => Buffer.from(`\ufeff${json}`, 'utf16le') }, ...BAD],
  [
    'UTF-16 that says so',
    { encode: (json) => Buffer.from(json, 'utf16le'), headers: ['Content-Type: a/json; charset=utf-16'] },
    ...BAD,
  ],
  ['Latin-1', { encode: bytes(0x65, 0xe9) }, ...BAD],
  [
    'Latin-1 that says so',
    { encode: bytes(0x65, 0xe9), headers: ['Content-Type: application/json; charset=iso-8859-1'] },
    ...BAD,
  ],
  ['the byte 0xFF', { encode: bytes(0xff) }, ...BAD],
  ['a continuation byte alone', { encode: bytes(0x80) }, ...BAD],
  ['a character that is cut off', { encode: bytes(0xf0, 0x9f, 0x98) }, ...BAD],
  ['an overlong slash', { encode: bytes(0xc0, 0xaf) }, ...BAD],
  ['an overlong zero', { encode: bytes(0xc0, 0x80) }, ...BAD],
  ['a surrogate in three bytes', { encode: bytes(0xed, 0xa0, 0x80) }, ...BAD],
  ['a surrogate pair in six bytes', { encode: bytes(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80) }, ...BAD],
  ['a code point above U+10FFFF', { encode: bytes(0xf4, 0x90, 0x80, 0x80) }, ...BAD],
  ['the last code point', { encode: bytes(0xf4, 0x8f, 0xbf, 0xbf) }, ...PASSED],
  ['gzip', { encode: gzipSync, headers: ['Content-Encoding: gzip'] }, ...ENCODED],
  ['deflate', { encode: deflateSync, headers: ['Content-Encoding: deflate'] }, ...ENCODED],
  ['brotli', { encode: brotliCompressSync, headers: ['Content-Encoding: br'] }, ...ENCODED],
  [
    'a gzip bomb',
    { encode: () => gzipSync(Buffer.alloc(50_000_000)), headers: ['Content-Encoding: gzip'] },
    ...ENCODED,
  ],
  [
    'plain text that claims to be gzip',
    { encode: (json) => Buffer.from(json), headers: ['Content-Encoding: gzip'] },
    ...ENCODED,
  ],
  [
    'gzip behind identity',
    { encode: (json) => Buffer.from(json), headers: ['Content-Encoding: identity', 'Content-Encoding: GZIP'] },
    ...ENCODED,
  ],
  [
    'identity, however often it is said',
    { encode: (json) => Buffer.from(json), headers: ['Content-Encoding: Identity, identity', 'Content-Encoding:'] },
    ...PASSED,
  ],
  ['another Content-Type', { encode: (json) => Buffer.from(json), headers: ['Content-Type: image/png'] }, ...PASSED],
  [
    'a form by its Content-Type',
    { encode: (json) => Buffer.from(json), headers: ['Content-Type: multipart/form-data'] },
    ...PASSED,
  ],
  [
    'a Content-Type that is none',
    { encode: (json) => Buffer.from(json), headers: ['Content-Type: ;;;==""'] },
    ...PASSED,
  ],
];

const TURN = '{"summary":"Offsets hurt."}';

describe('a body', () => {
  it.each(ROWS)('REST: %s', async (_name, { encode, headers = [] }, rest) => {
    const request = { method: 'POST', target: turnTargets(service).REST, headers, body: encode(TURN) };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], rest);
  });

  it.each(ROWS)('MCP: %s', async (_name, { encode, headers = [] }, _rest, mcp) => {
    const request = { method: 'POST', target: MCP, headers, body: encode(toolCall(TURN)) };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], mcp);
  });
});
