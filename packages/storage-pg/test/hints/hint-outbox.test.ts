import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HintLink, openHintOutbox, readHint } from '../../src/hints/hints.ts';

interface Message {
  readonly sessionIds: readonly string[] | null;
  /** The broker takes the message. */
  readonly take: () => void;
}

/** A connection that records what is sent on it. Its broker takes a message at once, or when the test says so. */
function openLink({ takesAtOnce = false } = {}) {
  const messages: Message[] = [];
  const link: HintLink = {
    notify: (payloads) =>
      new Promise((take) => {
        for (const payload of payloads) messages.push({ sessionIds: readHint(payload, 'there'), take });
        if (takesAtOnce) take();
      }),
    untilLost: () => new Promise(() => {}),
  };
  return { link, messages, sent: () => messages.map(({ sessionIds }) => sessionIds) };
}

describe('an outbox of hints', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('sends a hint in the call that adds it', () => {
    const [outbox, { link, sent }] = [openHintOutbox('here'), openLink()];
    outbox.use(link);
    outbox.add(['a', 'b', 'a']);
    expect(sent()).toEqual([['a', 'b']]);
  });

  it('collects hints while a message is under way, and sends them when the broker has taken it', async () => {
    const [outbox, { link, messages, sent }] = [openHintOutbox('here'), openLink()];
    outbox.use(link);
    outbox.add(['a']);
    outbox.add(['b']);
    await vi.advanceTimersByTimeAsync(1_000);
    outbox.add(['c', 'b']);
    expect(sent()).toEqual([['a']]);
    messages[0]?.take();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual([['a'], ['b', 'c']]);
  });

  it('sends ten messages without a pause, and then one in ten milliseconds', async () => {
    const [outbox, { link, sent }] = [openHintOutbox('here'), openLink({ takesAtOnce: true })];
    outbox.use(link);
    const add = async (from: number, to: number) => {
      for (let n = from; n <= to; n += 1) {
        outbox.add([`s${n}`]);
        await vi.advanceTimersByTimeAsync(0);
      }
    };
    await add(1, 13);
    expect(sent()).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(9);
    expect(sent()).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent().slice(10)).toEqual([['s11', 's12', 's13']]);
    await add(14, 15);
    await vi.advanceTimersByTimeAsync(10);
    expect(sent().slice(11)).toEqual([['s14', 's15']]);
    // Each pause of ten milliseconds without a message allows one more message without a pause.
    await vi.advanceTimersByTimeAsync(30);
    await add(16, 19);
    expect(sent().slice(12)).toEqual([['s16'], ['s17'], ['s18']]);
  });

  it('keeps hints while there is no connection, and does not wait for a message of a lost one', async () => {
    const [outbox, lost, next] = [openHintOutbox('here'), openLink(), openLink()];
    outbox.add(['a']);
    outbox.use(lost.link);
    expect(lost.sent()).toEqual([['a']]);
    outbox.use(undefined);
    outbox.add(['b']);
    outbox.use(next.link);
    expect(next.sent()).toEqual([['b']]);
    outbox.add(['c']);
    lost.messages[0]?.take();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([lost.sent(), next.sent()]).toEqual([[['a']], [['b']]]);
    next.messages[0]?.take();
    await vi.advanceTimersByTimeAsync(0);
    expect(next.sent()).toEqual([['b'], ['c']]);
  });
});
