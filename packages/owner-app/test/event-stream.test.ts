import { createMemoryStorage } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { followEvents, parseEvents } from '../src/cli/event-source.ts';
import { createOwnerClient } from '../src/cli/owner-client.ts';
import { AS_OWNER, ask, createSession } from './ask.ts';
import { KEY, runApp } from './running-app.ts';

interface Stream {
  readonly response: Response;
  /** The next so many events. */
  take(count: number): Promise<{ id: string; data: Record<string, unknown> }[]>;
  leave(): void;
}

async function open(url: string, path: string, headers: Record<string, string> = {}): Promise<Stream> {
  const leaving = new AbortController();
  const response = await fetch(url + path, { headers: { ...AS_OWNER, ...headers }, signal: leaving.signal });
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

async function eventually(check: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !check(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(check()).toBe(true);
}

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
        seen.length > 0 ? { 'last-event-id': seen.at(-1) ?? '' } : {},
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

  test('frees its waiter when the reader leaves, and calls that no failure', async () => {
    const { url, parley, errors, requests } = await runApp();
    const id = await createSession(url);
    const stream = await open(url, `/owner/api/sessions/${id}/events`);
    await stream.take(1);
    await eventually(() => parley.heldPolls() === 1);
    stream.leave();
    await eventually(() => parley.heldPolls() === 0);
    await eventually(() => requests.some(({ path }) => path.endsWith('/events')));
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
    await new Promise((resolve) => setTimeout(resolve, 700));
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
    const events = followEvents(createOwnerClient(url, KEY), { sessionId: 'none', after: 0, onLost: () => undefined });
    await expect(events.next()).rejects.toThrow('UNKNOWN_RECORD');
  });
});
