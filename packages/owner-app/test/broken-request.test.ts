import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { runApp } from './running-app.ts';

const HEAD = 'POST /api/public/agent/invitations/redeem HTTP/1.1\r\nhost: x\r\n';

describe('a request that breaks after its head', () => {
  test.each([
    ['a transfer coding that is not known', 'transfer-encoding: gzip\r\n\r\n{}'],
    ['a chunk without a size', 'transfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['a body that is longer than its length', 'content-length: 2\r\n\r\n{}{}\r\n\r\n'],
  ])('is the fault of its sender and tells the operator nothing: %s', async (_, rest) => {
    const { url, errors } = await runApp();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(HEAD + rest);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(errors).toEqual([]);
  });

  test('is the same when half of its body never comes', async () => {
    const { url, errors, server } = await runApp();
    server.requestTimeout = 100;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${HEAD}content-length: 20\r\n\r\n{`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(errors).toEqual([]);
  });
});
