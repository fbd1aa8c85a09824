import { expect, test } from 'vitest';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { runApp } from '../running-app.ts';

test('a write with Prefer: return=representation also answers with its effect and the session after it', async () => {
  const { url } = await runApp();
  const id = await createSession(url);
  const headers = { ...AS_OWNER, prefer: 'respond-async, return=representation' };
  const { status, json, headers: answered } = await ask(url, `/owner/api/sessions/${id}/start`, { headers, body: {} });
  expect(status).toBe(200);
  expect(answered.get('preference-applied')).toBe('return=representation');
  expect(json).toEqual({
    session_id: id,
    status: 'ACTIVE',
    phase: 'PLANNING',
    round_limit: 10,
    after: {
      said: 'The session is started.',
      view: (await ask(url, `/owner/api/sessions/${id}`, { headers: AS_OWNER })).json,
    },
  });
});

test('without the header, and with an Idempotency-Key, the answer has no further member', async () => {
  const { url } = await runApp();
  const id = await createSession(url);
  const rounds = (headers: Readonly<Record<string, string>>) =>
    ask(url, `/owner/api/sessions/${id}/extend-rounds`, { headers: { ...AS_OWNER, ...headers }, body: { rounds: 1 } });
  const keyed = await rounds({ prefer: 'return=representation', 'idempotency-key': 'k1' });
  expect(keyed.json).toEqual({ session_id: id, status: 'DRAFT', phase: 'PLANNING', round_limit: 11 });
  expect(keyed.headers.get('preference-applied')).toBeNull();
  expect(Object.keys((await rounds({ prefer: 'return=minimal' })).json)).not.toContain('after');
});
