import { afterEach, expect, test, vi } from 'vitest';
import { AS_OWNER } from '../ask.ts';
import { runApp, SESSION } from '../running-app.ts';

/** Loads the state of the console as in a browser that is signed in at `url`. `sent` gets each request. */
async function openConsole(url: string) {
  const sent: string[] = [];
  const fetched = globalThis.fetch;
  let held: { readonly arrived: () => void; readonly released: Promise<void> } | undefined;
  vi.stubGlobal('localStorage', { getItem: (name: string) => (name === 'parley-page-key' ? 'key' : null) });
  vi.stubGlobal('location', { pathname: '/owner/elsewhere' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', { addEventListener: () => undefined, visibilityState: 'visible' });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    sent.push(`${init.method ?? 'GET'} ${path}`);
    const hold = path.startsWith('/owner/api/inbox') ? held : undefined;
    const answer = await fetched(url + path, { ...init, headers: { ...init.headers, ...AS_OWNER } });
    hold?.arrived();
    await hold?.released;
    return answer;
  });
  /** Reads the inbox. Resolves when the answer is there, which the page gets only when the returned function is called. */
  async function readHeld(): Promise<() => Promise<void>> {
    let [arrive, release] = [(): void => undefined, (): void => undefined];
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    held = { arrived: arrive, released };
    const reading = inbox.readInbox();
    await arrived;
    held = undefined;
    return async () => {
      release();
      await reading;
    };
  }
  const [{ openSession }, inbox, { announced }] = await Promise.all([
    import('../../console/src/state/live-session.ts'),
    import('../../console/src/state/sessions.ts'),
    import('../../console/src/state/announced.ts'),
  ]);
  return { sent, openSession, inbox, announced, readHeld };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a write shows its effect on the session and in the inbox without a further request, and a refusal reads both again', async () => {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id: id } = await owner.createSession(SESSION);
  await owner.invite(id, { role: 'agent_a' });
  const { sent, openSession, inbox, announced } = await openConsole(url);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await inbox.readInbox();
  const live = openSession(id);
  await expect.poll(() => live.events.value.map(({ kind }) => kind)).toContain('invitation.created');
  await vi.advanceTimersByTimeAsync(1_000);
  sent.length = 0;

  await live.act('start', { first_turn: 'agent_b' });
  expect(live.view.value?.state.status).toBe('ACTIVE');
  expect(inbox.waiting.value?.map(({ session_id, status }) => ({ session_id, status }))).toEqual([
    { session_id: id, status: 'ACTIVE' },
  ]);
  expect(announced.value?.text).toMatch(/^The session is started, and Agent B \(agent_b\) begins\. Next: /);
  await expect.poll(() => live.events.value.map(({ kind }) => kind)).toContain('session.started');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([`POST /owner/api/sessions/${id}/start`]);

  await owner.pause(id, { reason: 'Lunch.' });
  await expect.poll(() => live.view.value?.state.status).toBe('PAUSED');
  expect(sent.slice(1)).toEqual([`GET /owner/api/sessions/${id}`]);

  await owner.end(id, { end_reason: 'CANCELLED' });
  await expect(live.act('resume')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  expect(live.view.value?.state.status).toBe('ENDED');
  await expect.poll(() => sent).toContain('GET /owner/api/inbox?limit=100');
  live.close();
});

test('a read of the inbox that began before a write does not replace what the write shows', async () => {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id: id } = await owner.createSession(SESSION);
  const { inbox, readHeld } = await openConsole(url);
  await inbox.readInbox(true);
  const statusOf = () => inbox.waiting.value?.map(({ session_id, status }) => ({ session_id, status }));
  expect(statusOf()).toEqual([{ session_id: id, status: 'DRAFT' }]);

  const release = await readHeld();
  await inbox.actOn(id, 'start', {});
  expect(statusOf()).toEqual([{ session_id: id, status: 'ACTIVE' }]);
  await release();
  expect(statusOf()).toEqual([{ session_id: id, status: 'ACTIVE' }]);
});

test('a write after which something waits adds its session to the inbox', async () => {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id: id } = await owner.createSession(SESSION);
  for (const role of ['agent_a', 'agent_b'] as const)
    await parley.redeem({ code: (await owner.invite(id, { role })).code });
  await owner.start(id);
  const { inbox } = await openConsole(url);
  await inbox.readInbox(true);
  expect([inbox.waiting.value, inbox.waitingCount.value]).toEqual([[], 0]);

  await inbox.actOn(id, 'revoke', { role: 'agent_a' });
  expect(inbox.waiting.value?.map(({ session_id, waits }) => [session_id, waits.map(({ kind }) => kind)])).toEqual([
    [id, ['AGENT_ABSENT']],
  ]);
});
