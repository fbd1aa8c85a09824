import { createMemoryStorage, createParley } from '@parley/core';
import { serve } from '@parley/http-host';
import Koa from 'koa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type PatchOp, patched } from '../../console/src/api/patched.ts';
import { createOwnerRouter } from '../../src/server/api/router.ts';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { runApp, SESSION } from '../running-app.ts';

const reading = (etag = '') => ({
  headers: { ...AS_OWNER, 'A-IM': 'json-patch', ...(etag && { 'If-None-Match': etag }) },
});

/** A started session. The owner's view of the session is much longer than the changes of one call. */
async function opened() {
  const { url } = await runApp();
  const id = await createSession(url);
  const path = `/owner/api/sessions/${id}`;
  const act = (name: string, body: object) => ask(url, `${path}/${name}`, { headers: AS_OWNER, body });
  await act('start', {});
  return { url, path, act };
}

describe('a read of the owner that is repeated', () => {
  test('is answered with 304 while nothing has changed', async () => {
    const { url, path } = await opened();
    const first = await ask(url, `${path}/transcript`, { headers: AS_OWNER });
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{27}"$/)]);
    const again = await ask(url, `${path}/transcript`, { headers: { ...AS_OWNER, 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test('is answered with the changes since the answer that it names', async () => {
    const { url, path, act } = await opened();
    const first = await ask(url, path, reading());
    await act('pause', { reason: 'Lunch.' });
    const etag = first.headers.get('etag') ?? '';
    const changed = await ask(url, path, reading(etag));
    const whole = await ask(url, path, { headers: AS_OWNER });
    expect([changed.status, changed.headers.get('im'), changed.headers.get('delta-base')]).toEqual([
      226,
      'json-patch',
      etag,
    ]);
    expect(changed.json).toContainEqual({ op: 'replace', path: '/state/status', value: 'PAUSED' });
    expect(changed.text.length).toBeLessThan(1_500);
    expect(whole.text.length).toBeGreaterThan(2_500);
    expect(patched(first.json, changed.json as readonly PatchOp[])).toEqual(whole.json);
    expect(changed.headers.get('etag')).toBe(whole.headers.get('etag'));
  });

  test('is answered whole where the base is unknown, or the reader takes no changes', async () => {
    const { url, path, act } = await opened();
    const first = await ask(url, path, reading());
    const etag = first.headers.get('etag') ?? '';
    await act('pause', { reason: 'Lunch.' });
    const unknown = await ask(url, path, reading('W/"another"'));
    const plain = await ask(url, path, { headers: { ...AS_OWNER, 'If-None-Match': etag } });
    for (const { status, headers, json } of [unknown, plain])
      expect([status, headers.get('im'), json.state.status]).toEqual([200, null, 'PAUSED']);
  });

  test('never starts from an answer to another owner, or of another address', async () => {
    const parley = await createParley({ storage: createMemoryStorage() });
    const app = new Koa().use(createOwnerRouter({ parley, authenticate: (ctx) => ctx.get('x-user') }));
    const { url, close } = await serve(app, { host: '127.0.0.1', port: 0, parley });
    onTestFinished(() => close());
    const as = (user: string, known = '') => ({
      headers: { 'x-user': user, 'A-IM': 'json-patch', 'If-None-Match': known },
    });
    for (let count = 0; count < 20; count += 1) await parley.owner('ann').createSession(SESSION);
    const first = await ask(url, '/owner/api/overview', as('ann'));
    const etag = first.headers.get('etag') ?? '';
    await parley.owner('ann').createSession({ ...SESSION, title: 'One more' });
    expect((await ask(url, '/owner/api/overview', as('bob', etag))).status).toBe(200);
    expect((await ask(url, '/owner/api/overview?limit=50', as('ann', etag))).status).toBe(200);
    expect((await ask(url, '/owner/api/overview', as('ann', etag))).status).toBe(226);
  });
});
