import { createMemoryStorage } from '@parley/core';
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

test.each([
  ['Return=Representation', true],
  ['wait=5, RETURN = "representation"; strict', true],
  ['return=representation-2', false],
  ['handling=lenient; return=representation', false],
])('the preference %s is taken for a wish for the representation: %s', async (prefer, isWished) => {
  const { url } = await runApp();
  const id = await createSession(url);
  const headers = { ...AS_OWNER, prefer };
  const { json, headers: answered } = await ask(url, `/owner/api/sessions/${id}/start`, { headers, body: {} });
  expect([Object.keys(json).includes('after'), answered.get('preference-applied')]).toEqual(
    isWished ? [true, 'return=representation'] : [false, null],
  );
});

test('a write whose representation cannot be made is stored, and says that the preference is not applied', async () => {
  const storage = createMemoryStorage();
  const loadCalls = async ([sessionId = '']: readonly string[]) => [
    { sessionId, role: 'agent_a', atMs: 1e300, isWaiting: false } as const,
  ];
  const { url, parley } = await runApp({}, { storage: { ...storage, loadCalls } });
  const id = await createSession(url);
  const { code } = await parley.owner('owner').invite(id, { role: 'agent_a' });
  await parley.redeem({ code });
  const headers = { ...AS_OWNER, prefer: 'return=representation' };
  const { status, json, headers: answered } = await ask(url, `/owner/api/sessions/${id}/start`, { headers, body: {} });
  expect([status, json, answered.get('preference-applied')]).toEqual([
    200,
    { session_id: id, status: 'ACTIVE', phase: 'PLANNING', round_limit: 10 },
    null,
  ]);
});
