import { describe, expect, test } from 'vitest';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { runApp } from '../running-app.ts';

/** A started session. */
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

  test('is answered whole once something has changed', async () => {
    const { url, path, act } = await opened();
    const first = await ask(url, path, { headers: AS_OWNER });
    await act('pause', { reason: 'Lunch.' });
    const again = await ask(url, path, {
      headers: { ...AS_OWNER, 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect([again.status, again.json.state.status]).toEqual([200, 'PAUSED']);
  });
});
