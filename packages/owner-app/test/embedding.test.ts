import { createMemoryStorage, createParley, fail } from '@parley/core';
import { serve } from '@parley/http-host';
import Koa from 'koa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOwnerRouter } from '../src/index.ts';
import { ask } from './ask.ts';
import { SESSION } from './running-app.ts';

describe('a team with its own login', () => {
  const runTeam = async () => {
    const parley = await createParley({ storage: createMemoryStorage() });
    const authenticate = (ctx: Koa.Context): string =>
      ctx.get('x-user') || fail('UNAUTHORIZED', 'Sign in at your company first.');
    const app = new Koa().use(createOwnerRouter({ parley, authenticate, prefix: '/admin/parley' }));
    const serving = await serve(app.callback(), { host: '127.0.0.1', port: 0, parley });
    onTestFinished(() => serving.close());
    return (user: string, path: string, body?: unknown) =>
      ask(serving.url, `/admin/parley${path}`, {
        headers: { 'x-user': user },
        ...(body === undefined ? {} : { body }),
      });
  };

  test("determines the owner, and owners cannot see each other's sessions", async () => {
    const as = await runTeam();
    const { session_id } = (await as('ada', '/sessions', SESSION)).json;
    expect((await as('ada', `/sessions/${session_id}`)).status).toBe(200);
    expect(await as('bob', `/sessions/${session_id}`)).toMatchObject({
      status: 404,
      json: { error: 'UNKNOWN_RECORD' },
    });
    expect((await as('bob', `/sessions/${session_id}/log`)).status).toBe(404);
    expect((await as('bob', `/sessions/${session_id}/events`)).status).toBe(404);
    expect((await as('bob', `/sessions/${session_id}/end`, { end_reason: 'CANCELLED' })).status).toBe(404);
    expect((await as('bob', '/sessions')).json.sessions).toEqual([]);
  });

  test('refuses with its own message in the common form of errors', async () => {
    const as = await runTeam();
    expect(await as('', '/sessions')).toMatchObject({
      status: 401,
      json: { ok: false, error: 'UNAUTHORIZED', message: 'Sign in at your company first.' },
    });
  });

  test('keeps its other paths', async () => {
    const as = await runTeam();
    expect((await as('ada', 'x')).text).toBe('Not Found');
  });
});
