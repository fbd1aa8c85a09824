import type { EventText } from '@parley/core/words';
import { expect, test } from 'vitest';
import { digestOf } from '../../src/transcript/event-text.ts';

const LONG = 'The cursor is opaque, and it holds the last id and the direction. '.repeat(20);

test('a short message has no digest', () => {
  expect(digestOf({ heading: 'turn 2, round 1', text: 'Fine.', parts: [{ label: 'next', text: 'I build.' }] })).toBe(
    null,
  );
});

test('a long turn is told in five lines at most: summary, proposals, questions, agreement, objections', () => {
  const turn: EventText = {
    heading: 'turn 3, round 2',
    text: 'We keep\nthe key.\n\nSecond paragraph.',
    parts: [
      { label: 'accepts', title: 'd_1 Cursor' },
      { label: 'accepts', title: 'd_2 Key' },
      { label: 'verified', text: LONG },
      { label: 'disagrees', text: 'Not for refunds.' },
      { label: 'proposes', title: 'd_3 Retries', text: LONG },
      { label: 'proposes', title: 'd_4 Limits', text: LONG },
      { label: 'asks owner', title: 'q_1', text: 'May we wait 60 seconds?' },
      { label: 'next', text: 'I build.' },
    ],
  };
  expect(digestOf(turn)).toEqual({
    lines: [
      { label: '', text: 'We keep the key.' },
      { label: 'proposes', tone: 'live', text: 'd_3 Retries; d_4 Limits' },
      { label: 'asks', tone: 'live', text: 'q_1 May we wait 60 seconds?' },
      { label: 'agrees', tone: 'good', text: 'd_1 Cursor; d_2 Key' },
      { label: 'objects', tone: 'warn', text: 'Not for refunds.' },
    ],
    more: 2,
  });
});

test('evidence is told as the number of checks that held and failed, with the names of the failed ones', () => {
  const held = Array.from({ length: 12 }, (_, index) => ({ label: 'passes', text: `check ${index}: 1` }));
  const evidence = { heading: 'gives evidence', text: 'It holds.', parts: [{ label: 'saw', text: LONG }, ...held] };
  expect(digestOf(evidence)?.lines[1]).toEqual({ label: 'checks', tone: 'good', text: '12 checks passed, 0 failed' });
  const failing = { ...evidence, parts: [...evidence.parts, { label: 'FAILS', text: 'ratio: 1.7 instead of 1.5' }] };
  expect(digestOf(failing)?.lines[1]).toEqual({
    label: 'checks',
    tone: 'bad',
    text: '12 checks passed, 1 failed: ratio: 1.7 instead of 1.5',
  });
});

test('a line has at most 240 characters', () => {
  const next = { label: 'next', text: 'I build.' };
  const [line] = digestOf({ heading: 'turn 1, round 1', text: LONG, parts: [next] })?.lines ?? [];
  expect(line?.text).toHaveLength(237);
  expect(line?.text.endsWith('The cursor is opaque, and it holds the…')).toBe(true);
});

test('a text without parts has the room of five lines, and is cut after a whole word', () => {
  const [line] = digestOf({ heading: 'completes act_9', text: LONG })?.lines ?? [];
  expect(line?.text).toHaveLength(1_199);
  expect(line?.text.endsWith('direction. The cursor…')).toBe(true);
});

test('a review tells its caveats and the hash', () => {
  const parts = [
    { label: 'content_hash', text: 'ab12' },
    { label: 'caveat', text: 'No decision defines a log.' },
    { label: 'caveat', text: LONG },
  ];
  expect(digestOf({ heading: 'reviews r_1: REQUEST_CHANGES', parts })).toEqual({
    lines: [
      {
        label: 'objects',
        tone: 'warn',
        text: expect.stringMatching(/^No decision defines a log\.; The cursor is opaque/),
      },
      { label: 'content_hash', tone: 'live', text: 'ab12' },
    ],
    more: 0,
  });
});

test('a long title is cut, so that its text has room on the line', () => {
  const parts = [{ label: 'answer', title: `rq_1 ${LONG}`, text: `We answer 409. ${LONG}` }];
  expect(digestOf({ heading: 'reports READY_TO_CODE on m_1', parts })?.lines).toEqual([
    {
      label: 'answer',
      text: expect.stringMatching(/^rq_1 The cursor is opaque, .{0,70}… We answer 409\. The cursor is opaque/),
    },
  ]);
});
