import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamEvents, streamFile } from '../../src/cli/client/answer.ts';
import { CliError, EXIT } from '../../src/cli/exit-codes.ts';
import { watchSilence } from '../../src/text/event-stream.ts';

/** Not a literal in the import, because the types of this test know no browser. */
const CONSOLE_EVENTS = '../../console/src/api/event-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A body that ends when the request is aborted, as that of `fetch` does, and never by itself. */
function openBody(signal: AbortSignal) {
  let send: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
      signal.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return { body, send };
}

test.each(['events', 'file'] as const)(
  'a stream of %s that goes silent ends after 45 seconds without a byte, and not before',
  async (kind) => {
    const abort = new AbortController();
    const { body, send } = openBody(abort.signal);
    const type = kind === 'events' ? 'text/event-stream' : 'application/x-ndjson';
    const answer = { url: 'http://parley', response: new Response(body, { headers: { 'content-type': type } }), abort };
    const chunks = kind === 'events' ? streamEvents(answer) : streamFile(answer, '');
    send(':\n\n');
    expect((await chunks.next()).done).toBe(false);
    const next = chunks.next();
    await vi.advanceTimersByTimeAsync(44_000);
    send(':\n\n');
    expect((await next).done).toBe(false);
    const last = chunks.next().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(44_999);
    expect(abort.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await last).toEqual(
      new CliError(EXIT.UNREACHABLE, 'The answer of http://parley broke off (no byte for 45 seconds). Try again.'),
    );
  },
);

test('after a sleep, a stream that has missed a heartbeat of the service is lost at once', () => {
  const onSilent = vi.fn();
  const silence = watchSilence(onSilent);
  vi.setSystemTime(Date.now() + 19_000);
  silence.look();
  expect(onSilent).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 3_600_000);
  silence.look();
  expect(onSilent).toHaveBeenCalledOnce();
  silence.stop();
});

test.each([
  ['45 seconds without a byte', async () => void (await vi.advanceTimersByTimeAsync(45_000))],
  ['a change of the network', async (page: EventTarget) => void page.dispatchEvent(new Event('online'))],
  [
    'the return to a page that has slept',
    async (page: EventTarget) => {
      vi.setSystemTime(Date.now() + 60_000);
      page.dispatchEvent(new Event('visibilitychange'));
    },
  ],
])('the console ends a stream of events after %s, so that it connects again', async (_what, happen) => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', page);
  vi.stubGlobal('localStorage', { getItem: () => 'key', setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('location', { pathname: '/owner/', search: '' });
  vi.stubGlobal('fetch', async (_url: string, { signal }: { readonly signal: AbortSignal }) => {
    const { body, send } = openBody(signal);
    send('id: 1\ndata: {}\n\n');
    return new Response(body);
  });
  const { listen } = await import(CONSOLE_EVENTS);
  const events = listen({ path: '/sessions/s/events', range: {}, aborting: new AbortController().signal });
  expect(await events.next()).toEqual({ done: false, value: '{}' });
  const next = events.next();
  await happen(page);
  expect(await next).toEqual({ done: true, value: undefined });
});
