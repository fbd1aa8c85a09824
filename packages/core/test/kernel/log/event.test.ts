import { expect, test } from 'vitest';
import { GENESIS, GENESIS_HASH, readEvent, recordEvent } from '../../../src/kernel/log/event.ts';

const SESSION = '3QbT0000000000000000aZ';
const AT = '2026-11-21T09:00:00.000Z';
const ZEROS = '0000000000000000000000000000000000000000000000000000000000000000';

const first = recordEvent(SESSION, GENESIS, {
  kind: 'note.added',
  v: 1,
  actor: 'agent_a',
  data: { text: 'naïve “quotes” 🚀 \u001e' },
  at: AT,
});
const second = recordEvent(SESSION, first.stored, { kind: 'note.dropped', v: 2, actor: 'system', data: {}, at: AT });

test('an empty log names 64 zeros as the hash before its first event', () => {
  expect(GENESIS).toEqual({ seq: 0, hash: ZEROS });
  expect(GENESIS_HASH).toBe(ZEROS);
});

test('the stored text of an event and its hash are frozen', () => {
  expect(first.stored).toEqual({
    seq: 1,
    hash: '735d61d300093dab387dbecd03a7bcedef39ba8f187c3c3f9c8e1b6ece07b016',
    body: '{"session_id":"3QbT0000000000000000aZ","seq":1,"at":"2026-11-21T09:00:00.000Z","kind":"note.added","v":1,"actor":"agent_a","data":{"text":"naïve “quotes” 🚀 \\u001e"},"prev_hash":"0000000000000000000000000000000000000000000000000000000000000000"}',
  });
  expect(second.stored).toEqual({
    seq: 2,
    hash: 'ad5780d0502036b2393a79bbe2d07836851abc94c482efffea941ae67e1f73c2',
    body: '{"session_id":"3QbT0000000000000000aZ","seq":2,"at":"2026-11-21T09:00:00.000Z","kind":"note.dropped","v":2,"actor":"system","data":{},"prev_hash":"735d61d300093dab387dbecd03a7bcedef39ba8f187c3c3f9c8e1b6ece07b016"}',
  });
});

test('the parsed form of an event equals its stored text', () => {
  expect(readEvent(first.stored)).toEqual(first.logged);
  expect(readEvent(second.stored)).toEqual({
    seq: 2,
    at: '2026-11-21T09:00:00.000Z',
    kind: 'note.dropped',
    v: 2,
    actor: 'system',
    data: {},
    prevHash: first.stored.hash,
    bytes: 213,
    hash: second.stored.hash,
  });
});
