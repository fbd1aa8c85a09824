import { ParleyError } from '@parley/core';
import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { openWire } from '../../http-host/test/wire.ts';
import { MCP, start } from './started.ts';
import { createToolPort } from './tool-port.ts';

const limited = () =>
  createToolPort({ admit: new ParleyError('RATE_LIMITED', 'Slow down.', { retry_after_seconds: 7 }) });
const heard = async (body: string | Buffer, port = createToolPort(), headers = {}) => {
  const { status, json } = await ask((await start(port)).url, MCP, { body, headers });
  return [status, json.error?.code, json.id];
};
const CHUNKED = { 'Transfer-Encoding': 'chunked' };
const ping = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;

describe('the id of a request that is refused before its body is read', () => {
  it.each([
    ['7', 7],
    ['0', 0],
    ['-1', -1],
    ['1.5', 1.5],
    ['9007199254740991', 9007199254740991],
    ['"7"', '7'],
    ['""', ''],
    ['"a\\"b\\\\"', 'a"b\\'],
    ['"\\u00e9😀"', 'é😀'],
    ['null', null],
  ])('%s comes back as it was', async (id, expected) => {
    expect(await heard(ping(id), limited())).toEqual([429, -32029, expected]);
    expect(await heard(ping(id), limited(), CHUNKED)).toEqual([429, -32029, expected]);
  });

  it.each([
    [
      'behind all else, as Python sends it',
      '{"method":"tools/call","params":{"a":[{"id":1}]},"jsonrpc":"2.0","id":7}',
      7,
    ],
    ['among white space', ' \r\n{ "id" :\t7 , "x": 1}', 7],
    ['under an escaped name', '{"\\u0069d":7}', 7],
    ['behind brackets in texts', '{"a":"]}\\"{","b":["}",{"c":"["}],"id":7}', 7],
    ['behind a byte order mark', '\ufeff{"id":7}', 7],
    ['of a text that breaks off behind it', '{"id":7,"params":{"a":"', 7],
    ['of a text that is no JSON behind it', '{"id":7,"params":oops}', 7],
  ])('%s is found', async (_, body, expected) => {
    expect(await heard(body, limited())).toEqual([429, -32029, expected]);
  });

  it.each([
    ['that is missing', '{"jsonrpc":"2.0","method":"ping"}'],
    ['that stands further inside', '{"params":{"id":7}}'],
    ['that stands there twice', '{"id":7,"id":8}'],
    ['that breaks off', '{"id":12'],
    ['that breaks off in a text', '{"id":"12'],
    ['that is no id', '{"id":{"a":1}}'],
    ['that is a boolean', '{"id":true}'],
    ['beyond 2^53', '{"id":9007199254740992}'],
    ['with bytes that are not UTF-8', Buffer.from('{"jsonrpc":"2.0","id":"a\xff","method":"ping"}', 'latin1')],
    ['of a batch', `[${ping('7')}]`],
    ['of no JSON', 'id=7'],
    ['of nothing', ''],
  ])('%s is null', async (_, body) => {
    expect(await heard(body, limited())).toEqual([429, -32029, null]);
  });

  it('is searched only in the first 16 kB', async () => {
    const filled = (chars: number) => `{"fill":"${'a'.repeat(chars)}","id":7}`;
    expect(await heard(filled(16_384 - filled(0).length), limited())).toEqual([429, -32029, 7]);
    expect(await heard(filled(16_385 - filled(0).length), limited())).toEqual([429, -32029, null]);
    expect(await heard(filled(1_000_000), limited())).toEqual([429, -32029, null]);
  });

  it('is answered as soon as 16 kB have arrived, although the body continues', async () => {
    const { server } = await start(limited());
    const wire = await openWire(Object(server.address()).port);
    wire.write(`POST ${MCP} HTTP/1.1`, 'Host: a', 'Content-Length: 190000', '', ping('7').padEnd(16_384, ' '));
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 429 .*"id":7/s);
  });

  it('is null after some seconds if the body does not arrive', async () => {
    const { server } = await start(limited());
    const wire = await openWire(Object(server.address()).port);
    wire.write(`POST ${MCP} HTTP/1.1`, 'Host: a', 'Content-Length: 60', '', '');
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 429 .*"id":null/s);
  });

  it('is null if the sender waits for 100 Continue and does not get it', async () => {
    const { server } = await start(limited());
    const wire = await openWire(Object(server.address()).port);
    wire.write(`POST ${MCP} HTTP/1.1`, 'Host: a', 'Content-Length: 60', 'Expect: 100-continue', '', '');
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 429 .*"id":null/s);
  });

  it('leaves the connection usable for the next request', async () => {
    const { server } = await start(createToolPort({ admit: new ParleyError('UNAUTHORIZED', 'No.') }));
    const wire = await openWire(Object(server.address()).port);
    for (const id of ['1', '2']) {
      const body = ping(id).padEnd(100_000, ' ');
      wire.write(`POST ${MCP} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, '', body);
      expect(await wire.until(new RegExp(`"id":${id},.*\\}$`, 's'))).toContain('HTTP/1.1 401');
    }
  });
});

describe('the id of a request whose body is refused', () => {
  const long = (id: string, chars: number): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"ping","fill":"${'a'.repeat(chars)}"}`;

  it.each([
    ['of 200,001 characters', 200_001 - long('7', 0).length, {}],
    ['of 200,001 characters in chunks', 200_001 - long('7', 0).length, CHUNKED],
    ['of more bytes than any may have', 900_000, {}],
    ['of more bytes than any may have in chunks', 900_000, CHUNKED],
  ])('%s stands in the 413', async (_, chars, headers) => {
    expect(await heard(long('7', chars), createToolPort(), headers)).toEqual([413, -32600, 7]);
    expect(await heard(long('"a"', chars), createToolPort(), headers)).toEqual([413, -32600, 'a']);
  });

  it('after the first 16 kB of a body that is too long is null', async () => {
    expect(await heard(`{"fill":"${'a'.repeat(250_000)}","id":7}`)).toEqual([413, -32600, null]);
  });

  it.each([
    ['that is no JSON at its end', '{"jsonrpc":"2.0","id":7,"method":"ping",}', 7],
    ['that breaks off', '{"jsonrpc":"2.0","id":"x","method":"pi', 'x'],
    ['that goes on behind its end', `${ping('7')} {}`, 7],
    ['that is no JSON far behind the first 16 kB', `{"fill":"${'a'.repeat(100_000)}","id":7,}`, 7],
    ['that is no JSON at all', '{', null],
    ['that is two requests', `${ping('7').slice(0, -1)},"id":8,}`, null],
  ])('%s stands in the -32700', async (_, body, id) => {
    expect(await heard(body)).toEqual([400, -32700, id]);
  });

  it('that is not UTF-8 after the id is in the -32700', async () => {
    const body = Buffer.concat([Buffer.from('{"id":7,"params":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(await heard(body)).toEqual([400, -32700, 7]);
    expect(await heard(body, createToolPort(), CHUNKED)).toEqual([400, -32700, 7]);
  });

  it('with a Content-Encoding is in the 415 if the bytes are plain', async () => {
    expect(await heard(ping('7'), createToolPort(), { 'Content-Encoding': 'gzip' })).toEqual([415, -32600, 7]);
  });

  it('that is no request is in the -32600', async () => {
    expect(await heard('{"id":7,"method":"ping"}')).toEqual([400, -32600, 7]);
  });
});
