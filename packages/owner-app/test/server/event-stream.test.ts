import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMemoryStorage, type Storage } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { createOwnerClient } from '../../src/cli/client/owner-client.ts';
import { followEvents } from '../../src/cli/sessions/watch.ts';
import { parseEvents } from '../../src/text/event-stream.ts';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { KEY, runApp } from '../running-app.ts';

interface Stream {
  readonly response: Response;
  /** Waits for the next `count` events and returns them. */
  take(count: number): Promise<{ id: string; data: Record<string, unknown> }[]>;
  leave(): void;
}

async function open(url: string, path: string, headers: Record<string, string> = AS_OWNER): Promise<Stream> {
  const leaving = new AbortController();
  const response = await fetch(url + path, { headers, signal: leaving.signal });
  const events = response.body ? parseEvents(response.body) : undefined;
  return {
    response,
    async take(count) {
      const taken = [];
      while (taken.length < count) {
        const step = await events?.next();
        if (!step || step.done) break;
        taken.push({ id: step.value.id, data: JSON.parse(step.value.data) });
      }
      return taken;
    },
    leave: () => leaving.abort(),
  };
}

const post = (url: string, id: string, name: string, body: object) =>
  ask(url, `/owner/api/sessions/${id}/${name}`, { headers: AS_OWNER, body });

describe('the event stream', () => {
  test('gives the stored events, then each new one, with its seq as id', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const stream = await open(url, `/owner/api/sessions/${id}/events`);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    const [created] = await stream.take(1);
    expect(created).toMatchObject({
      id: '1',
      data: { seq: 1, kind: 'session.created', actor: 'owner', v: 1, prev_hash: '0'.repeat(64) },
    });
    await post(url, id, 'start', {});
    const [started] = await stream.take(1);
    expect(started).toMatchObject({ id: '2', data: { kind: 'session.started', prev_hash: created?.data.hash } });
    stream.leave();
  });

  test('goes on after Last-Event-ID without a gap or a repetition', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const seen: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const stream = await open(
        url,
        `/owner/api/sessions/${id}/events?after=0`,
        seen.length > 0 ? { ...AS_OWNER, 'last-event-id': seen.at(-1) ?? '' } : AS_OWNER,
      );
      if (round > 0) await post(url, id, 'ask', { targets: ['agent_a'], text: `Question ${round}.` });
      seen.push(...(await stream.take(1)).map((event) => event.id));
      stream.leave();
      await post(url, id, 'direct', { targets: ['agent_b'], text: `Directive ${round}.` });
    }
    const rest = await open(url, `/owner/api/sessions/${id}/events?after=${seen.at(-1)}`);
    const { head } = (await ask(url, `/owner/api/sessions/${id}`, { headers: AS_OWNER })).json;
    seen.push(...(await rest.take(head.seq - Number(seen.at(-1)))).map((event) => event.id));
    rest.leave();
    expect(seen.map(Number)).toEqual(Array.from({ length: head.seq }, (_, index) => index + 1));
  });

  test('loses nothing that is written while it reads', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const stream = await open(url, `/owner/api/sessions/${id}/events`);
    const writes = Array.from({ length: 30 }, (_, index) => post(url, id, 'extend-rounds', { rounds: index + 1 }));
    const taken = await stream.take(31);
    await Promise.all(writes);
    expect(taken.map((event) => Number(event.id))).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
    stream.leave();
  });

  test.each(['-1', 'x', '1.5'])('refuses the resume point "%s"', async (after) => {
    const { url } = await runApp();
    const id = await createSession(url);
    const answered = await ask(url, `/owner/api/sessions/${id}/events?after=${after}`, { headers: AS_OWNER });
    expect(answered).toMatchObject({ status: 422, json: { error: 'INVALID_INPUT', issues: [{ path: 'after' }] } });
  });

  test('begins with the last events, and ends after the one that the reader names', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    await post(url, id, 'start', {});
    for (let count = 0; count < 4; count += 1)
      await post(url, id, count % 2 ? 'resume' : 'pause', count % 2 ? {} : { reason: 'x' });
    const seqsIn = async (range: string): Promise<string[]> => {
      const stream = await open(url, `/owner/api/sessions/${id}/events?${range}`);
      return (await stream.take(99)).map((event) => event.id);
    };
    expect(await seqsIn('last=3&until=6')).toEqual(['4', '5', '6']);
    expect(await seqsIn('after=1&until=3')).toEqual(['2', '3']);
    expect(await seqsIn('last=100&until=2')).toEqual(['1', '2']);
    const stream = await open(url, `/owner/api/sessions/${id}/events?last=1`);
    expect((await stream.take(1)).map((event) => event.id)).toEqual(['6']);
    stream.leave();
  });

  test.each(['last', 'until'])('refuses %s without a number', async (name) => {
    const { url } = await runApp();
    const id = await createSession(url);
    const answered = await ask(url, `/owner/api/sessions/${id}/events?${name}=x`, { headers: AS_OWNER });
    expect(answered).toMatchObject({ status: 422, json: { error: 'INVALID_INPUT', issues: [{ path: name }] } });
  });

  test('frees its waiter when the reader leaves, and calls that no failure', async () => {
    const { url, parley, errors, requests } = await runApp();
    const id = await createSession(url);
    const stream = await open(url, `/owner/api/sessions/${id}/events`);
    await stream.take(1);
    await expect.poll(() => parley.heldPolls()).toBe(1);
    stream.leave();
    await expect.poll(() => parley.heldPolls()).toBe(0);
    await expect.poll(() => requests.some(({ path }) => path.endsWith('/events'))).toBe(true);
    expect(errors).toEqual([]);
  });

  test('ends when the server drains, so that it can stop', async () => {
    const { url, close } = await runApp();
    const id = await createSession(url);
    const stream = await open(url, `/owner/api/sessions/${id}/events`);
    await stream.take(1);
    const closing = close();
    expect(await stream.take(1)).toEqual([]);
    await closing;
  });
});

describe('what a sign-in opened', () => {
  const EXPIRY_MS = 12 * 3_600_000;

  async function signIn(url: string): Promise<Record<string, string>> {
    const { json, headers } = await ask(url, '/owner/api/sign-in', { body: { owner_key: KEY } });
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', 'parley-page-key': json.page_key };
  }

  async function openAs(url: string, id: string, page: Record<string, string>): Promise<Stream> {
    const stream = await open(url, `/owner/api/sessions/${id}/events`, page);
    expect(stream.response.status).toBe(200);
    await stream.take(1);
    return stream;
  }

  test('ends when it signs out, on every page of it and on no other', async () => {
    const { url, parley, errors } = await runApp();
    const id = await createSession(url);
    const [mine, other] = [await signIn(url), await signIn(url)];
    const pages = await Promise.all(Array.from({ length: 12 }, () => openAs(url, id, mine)));
    const elsewhere = await openAs(url, id, other);
    await ask(url, '/owner/api/sign-out', { headers: mine, body: {} });
    expect(await Promise.all(pages.map((page) => page.take(1)))).toEqual(Array.from({ length: 12 }, () => []));
    await expect.poll(() => parley.heldPolls()).toBe(1);
    await post(url, id, 'start', {});
    expect(await elsewhere.take(1)).toMatchObject([{ id: '2' }]);
    expect((await open(url, `/owner/api/sessions/${id}/events`, mine)).response.status).toBe(401);
    elsewhere.leave();
    expect(errors).toEqual([]);
  });

  test('ends if it signs out before the stream has begun', async () => {
    const memory = createMemoryStorage();
    const waiting: (() => Promise<unknown>)[] = [];
    const storage: Storage = {
      ...memory,
      async fetch(...range) {
        await waiting.pop()?.();
        return await memory.fetch(...range);
      },
    };
    const { url } = await runApp({}, { storage });
    const id = await createSession(url);
    const page = await signIn(url);
    waiting.push(() => ask(url, '/owner/api/sign-out', { headers: page, body: {} }));
    const stream = await open(url, `/owner/api/sessions/${id}/events`, page);
    expect((await stream.take(99)).length).toBeLessThan(2);
  });

  test('ends when the twelve hours are over', async () => {
    let now = Date.now();
    const { url, parley } = await runApp({ now: () => now });
    const id = await createSession(url);
    const page = await signIn(url);
    now += EXPIRY_MS - 300;
    const stream = await openAs(url, id, page);
    now += 300;
    expect(await stream.take(1)).toEqual([]);
    await expect.poll(() => parley.heldPolls()).toBe(0);
  });

  test('ends with a sign-in that takes its place', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const { cookie = '', ...rest } = await signIn(url);
    const stream = await openAs(url, id, { cookie, ...rest });
    await ask(url, '/owner/api/sign-in', { headers: { cookie }, body: { owner_key: KEY } });
    expect(await stream.take(1)).toEqual([]);
  });

  test('is cut in the middle of a log that is being read', async () => {
    const { url, parley, errors } = await runApp();
    const id = await createSession(url);
    // Appends more bytes than the connection buffers, so that the log is still being read when the test breaks the
    // stream.
    const owner = parley.owner('owner');
    for (let n = 1; n <= 600; n += 1) {
      await owner.direct(id, { targets: ['agent_a'], text: '\u9577'.repeat(4_000) });
      await owner.withdrawIntervention(id, { intervention_id: `i_${n}` });
    }
    const page = await signIn(url);
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `GET /owner/api/sessions/${id}/log HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n`;
    socket.write(`${head}cookie: ${page.cookie}\r\nparley-page-key: ${page['parley-page-key']}\r\n\r\n`);
    await once(socket, 'readable');
    await ask(url, '/owner/api/sign-out', { headers: page, body: {} });
    const body = await text(socket).catch((error: Error) => error.message);
    expect(body.endsWith('0\r\n\r\n')).toBe(false);
    expect(errors).toEqual([]);
  });

  test('goes on for the owner key, which no sign-out ends', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const stream = await open(url, `/owner/api/sessions/${id}/events`);
    await stream.take(1);
    await ask(url, '/owner/api/sign-out', { headers: await signIn(url), body: {} });
    await post(url, id, 'start', {});
    expect(await stream.take(1)).toMatchObject([{ id: '2' }]);
    stream.leave();
  });
});

describe('following a session', () => {
  test('over a restart of the server misses nothing and repeats nothing', async () => {
    const storage = createMemoryStorage();
    const first = await runApp({}, { storage });
    const { url } = first;
    const id = await createSession(url);
    const lost: string[] = [];
    const events = followEvents(createOwnerClient(url, KEY), {
      sessionId: id,
      after: 0,
      onLost: (reason) => lost.push(reason),
    });
    const next = async () => (await events.next()).value.seq;
    expect(await next()).toBe(1);
    await post(url, id, 'start', {});
    expect(await next()).toBe(2);
    const following = next();
    await first.close();
    await expect.poll(() => lost).toHaveLength(1);
    await runApp({}, { storage, port: Number(new URL(url).port) });
    await post(url, id, 'extend-rounds', { rounds: 1 });
    await post(url, id, 'extend-rounds', { rounds: 1 });
    expect([await following, await next()]).toEqual([3, 4]);
    expect(lost).toEqual([expect.stringMatching(/^No server answers at /)]);
    await post(url, id, 'end', { end_reason: 'CANCELLED' });
    expect(await next()).toBe(5);
    await events.return(undefined);
  });

  test('ends when the session is not there', async () => {
    const { url } = await runApp();
    const events = followEvents(createOwnerClient(url, KEY), {
      sessionId: 'A'.repeat(22),
      after: 0,
      onLost: () => undefined,
    });
    await expect(events.next()).rejects.toThrow('UNKNOWN_RECORD');
  });
});
