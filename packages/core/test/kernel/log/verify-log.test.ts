import { expect, test } from 'vitest';
import { verifyLog } from '../../../src/kernel/log/event.ts';
import { noteChain, nth, rewritten } from '../support/chain.ts';

const LOG = noteChain(['one', 'two', 'three', 'four', 'five']);
const [e1, e2, e3, e4, e5] = [nth(LOG, 0), nth(LOG, 1), nth(LOG, 2), nth(LOG, 3), nth(LOG, 4)];
const HEAD = { seq: 5, hash: e5.hash };

const faultOf = async (...args: Parameters<typeof verifyLog>) => {
  const { ok, events, fault } = await verifyLog(...args);
  return { ok, events, at: fault?.seq, reason: fault?.reason };
};

test('an unchanged log is valid', async () => {
  expect(await verifyLog(LOG, HEAD)).toEqual({ ok: true, events: 5, head: HEAD });
});

test('an empty log is valid unless a head is known', async () => {
  expect(await faultOf([])).toEqual({ ok: true, events: 0, at: undefined, reason: undefined });
  expect(await faultOf([], HEAD)).toEqual({ ok: false, events: 0, at: 1, reason: 'TAIL_MISSING' });
});

test('an edited body is reported', async () => {
  const edited = { ...e3, body: e3.body.replace('three', 'THREE') };
  expect(await verifyLog([e1, e2, edited, e4, e5])).toEqual({
    ok: false,
    events: 2,
    head: { seq: 2, hash: e2.hash },
    fault: { seq: 3, reason: 'HASH_MISMATCH', message: 'The text of event 3 does not match its hash.' },
  });
});

test('an edited body with a recomputed hash breaks the event after it', async () => {
  const edited = rewritten(e3, 'three', 'THREE');
  expect(await faultOf([e1, e2, edited, e4, e5])).toMatchObject({ events: 3, at: 4, reason: 'CHAIN_BROKEN' });
});

test('a deleted event is reported', async () => {
  expect(await faultOf([e1, e2, e4, e5])).toMatchObject({ events: 2, at: 3, reason: 'SEQ_MISMATCH' });
  expect(await faultOf([e2, e3, e4, e5])).toMatchObject({ events: 0, at: 1, reason: 'SEQ_MISMATCH' });
});

test('a deleted event is reported even if later events were renumbered', async () => {
  const shifted = [
    { ...e4, seq: 3 },
    { ...e5, seq: 4 },
  ];
  expect(await faultOf([e1, e2, ...shifted])).toMatchObject({ events: 2, at: 3, reason: 'SEQ_MISMATCH' });
});

test('swapped events are reported at the first of the two', async () => {
  expect(await faultOf([e1, e3, e2, e4, e5])).toMatchObject({ events: 1, at: 2, reason: 'SEQ_MISMATCH' });
});

test('a repeated event is reported', async () => {
  expect(await faultOf([e1, e2, e2, e3])).toMatchObject({ events: 2, at: 3, reason: 'SEQ_MISMATCH' });
});

test('a renumbered event with a recomputed hash is reported', async () => {
  const renumbered = { ...rewritten(e4, '"seq":4', '"seq":3'), seq: 3 };
  expect(await faultOf([e1, e2, renumbered])).toMatchObject({ events: 2, at: 3, reason: 'CHAIN_BROKEN' });
});

test('missing events at the end are detected only with a known head', async () => {
  expect(await faultOf([e1, e2, e3])).toMatchObject({ ok: true, events: 3 });
  expect(await verifyLog([e1, e2, e3], HEAD)).toMatchObject({
    ok: false,
    events: 3,
    fault: { seq: 4, reason: 'TAIL_MISSING', message: 'The log ends at event 3; 5 events are expected.' },
  });
});

test('an event of another session is reported', async () => {
  const [foreign] = noteChain(['three'], '3QbT0000000000000000bZ', e2);
  expect(await faultOf([e1, e2, foreign ?? e3])).toMatchObject({ events: 2, at: 3, reason: 'SESSION_MISMATCH' });
});

test('a log that is whole but not of the expected session is reported', async () => {
  const foreign = noteChain(['a', 'b'], '3QbT0000000000000000bZ');
  expect(await verifyLog(foreign, undefined, '3QbT0000000000000000bZ')).toMatchObject({ ok: true, events: 2 });
  expect(await verifyLog(foreign, undefined, '3QbT0000000000000000bA')).toMatchObject({
    ok: false,
    events: 0,
    fault: { seq: 1, reason: 'SESSION_MISMATCH', message: 'Event 1 belongs to another session.' },
  });
});

test('a log of another session does not start in the middle', async () => {
  const foreign = noteChain(['a', 'b', 'c', 'd', 'e'], '3QbT0000000000000000bZ');
  expect(await faultOf([e1, e2, ...foreign.slice(2)])).toMatchObject({ events: 2, at: 3, reason: 'CHAIN_BROKEN' });
});

test('a chain that was rewritten from the middle is detected with a known head', async () => {
  const forged = [...LOG.slice(0, 2), ...noteChain(['3', '4', '5'], undefined, e2)];
  expect(await faultOf(forged)).toMatchObject({ ok: true, events: 5 });
  expect(await faultOf(forged, HEAD)).toMatchObject({ ok: false, at: 5, reason: 'HEAD_MISMATCH' });
});

test('a log with events after the known head is valid', async () => {
  expect(await verifyLog(LOG, { seq: 3, hash: e3.hash })).toEqual({ ok: true, events: 5, head: HEAD });
});

test('a longer chain that was rewritten before the known head is detected', async () => {
  const forged = [...LOG.slice(0, 2), ...noteChain(['3', '4', '5', '6'], undefined, e2)];
  expect(await faultOf(forged, { seq: 3, hash: e3.hash })).toEqual({
    ok: false,
    events: 2,
    at: 3,
    reason: 'HEAD_MISMATCH',
  });
});

test('an event that is older than the event before it is reported', async () => {
  const older = rewritten(e3, '09:00:02', '08:00:02');
  expect(await faultOf([e1, e2, older])).toMatchObject({ events: 2, at: 3, reason: 'TIME_BACKWARD' });
});

test.each([
  ['no JSON', '{"seq":3'],
  ['null', 'null'],
  ['an array', '[]'],
  ['an object without the members', '{}'],
  ['a number that is a text', e3.body.replace('"seq":3', '"seq":"3"')],
])('a body that is %s is reported', async (_what, body) => {
  const broken = rewritten(e3, e3.body, body);
  expect(await faultOf([e1, e2, broken])).toMatchObject({ events: 2, at: 3, reason: 'BODY_UNREADABLE' });
});
