import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openHintOutbox, readHint } from '../../src/hints/hints.ts';

/** An outbox whose connection records each list of session ids that it sends. */
function openOutbox() {
  const sent: (readonly string[] | null)[] = [];
  const outbox = openHintOutbox('here');
  outbox.use({
    notify: async (payloads) => void sent.push(...payloads.map((payload) => readHint(payload, 'there'))),
    untilLost: () => new Promise(() => {}),
  });
  return { outbox, sent };
}

describe('an outbox of hints', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('sends the first hint in the same iteration of the event loop', async () => {
    const { outbox, sent } = openOutbox();
    outbox.add(['a']);
    outbox.add(['b', 'a']);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([['a', 'b']]);
  });

  it('sends the hints of the following ten milliseconds together', async () => {
    const { outbox, sent } = openOutbox();
    outbox.add(['a']);
    await vi.advanceTimersByTimeAsync(1);
    outbox.add(['b']);
    await vi.advanceTimersByTimeAsync(5);
    outbox.add(['c']);
    await vi.advanceTimersByTimeAsync(3);
    expect(sent).toEqual([['a']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([['a'], ['b', 'c']]);
  });

  it('sends a hint immediately again after a pause', async () => {
    const { outbox, sent } = openOutbox();
    outbox.add(['a']);
    await vi.advanceTimersByTimeAsync(10);
    outbox.add(['b']);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([['a'], ['b']]);
  });

  it('stores hints while there is no connection', async () => {
    const { outbox, sent } = openOutbox();
    outbox.use(undefined);
    outbox.add(['a']);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toEqual([]);
  });
});

it('sends the first hint also if the process is idle', () => {
  const immediates = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate').length;
  const before = immediates();
  const { outbox } = openOutbox();
  outbox.add(['a']);
  // The immediate that sends the hint must be referenced: an unreferenced immediate does not keep the event loop awake.
  expect(immediates()).toBe(before + 1);
});
