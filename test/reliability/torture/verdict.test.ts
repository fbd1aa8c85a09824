import { describe, expect, test } from 'vitest';
import type { Acknowledgement, Look, Page, SessionRecord, Span } from './record.ts';
import { openRecord } from './record.ts';
import type { StoredSession } from './verdict/stored.ts';
import { tableOf } from './verdict/table.ts';
import { judgeRun } from './verdict/verdict.ts';

const turn: Acknowledgement = { key: 'turn:first', by: 'agent_a', at: 1_000, answer: '{"message_id":3}' };
const look: Look = { by: 'agent_b', isHeld: true, after: 2, sentAt: 500, at: 1_020, head: 3 };
const page: Page = { reader: 'one', of: 'messages', after: 0, atLeast: 0, ids: [2, 3], next: 3 };
const events = [
  { seq: 1, key: null },
  { seq: 2, key: null },
  { seq: 3, key: 'turn:first' },
];
const whole: StoredSession = { sessionId: 's', events, messages: [2, 3], feed: [2, 3], broken: null };
const seen = { sent: new Set(['turn:first']), acknowledged: [turn], looks: [look], pages: [page] };

interface Given extends Partial<Omit<SessionRecord, 'sessionId'>> {
  readonly stored?: Partial<StoredSession>;
  readonly unheld?: Span[];
}

/** Maps the name of each failed check to its first fault. */
function faultsOf(
  { stored, unheld = [], ...more }: Given,
  outages = [{ from: 0, to: 0 }],
): Record<string, string | undefined> {
  const record = { ...openRecord([]), outages, unheld, sessions: [{ sessionId: 's', ...seen, ...more }] };
  const results = judgeRun({ record, stored: [{ ...whole, ...stored }], plan: [] });
  const wrong = results.filter(({ faults }) => faults.length > 0);
  return Object.fromEntries(wrong.map(({ check, faults }) => [check, faults[0]]));
}

describe('the verdict on a run', () => {
  test('finds nothing where nothing is wrong', () => {
    expect(faultsOf({})).toEqual({});
  });

  test('finds an acknowledged write that is not stored', () => {
    const other = { ...turn, key: 'turn:second' };
    const found = faultsOf({ acknowledged: [turn, other], sent: new Set(['turn:first', 'turn:second']) });
    expect(found).toEqual({ 'no acknowledged write is lost': 'turn:second was acknowledged and is not stored' });
  });

  test('lets a write be absent that was sent and never answered', () => {
    expect(faultsOf({ sent: new Set(['turn:first', 'turn:unanswered']) })).toEqual({});
  });

  test('finds a write that is stored twice', () => {
    const stored = { events: [...events, { seq: 4, key: 'turn:first' }] };
    expect(faultsOf({ stored })).toEqual({ 'nothing is stored twice': 'turn:first is stored 2 times' });
  });

  test('finds a write that nobody sent', () => {
    const stored = { events: [...events, { seq: 4, key: 'turn:nobody' }] };
    expect(faultsOf({ stored })).toEqual({ 'nothing is stored twice': 'turn:nobody is stored and nobody sent it' });
  });

  test('finds a repeated write with another answer', () => {
    const again = { ...turn, at: 1_100, answer: '{"message_id":4}' };
    expect(Object.keys(faultsOf({ acknowledged: [turn, again] }))).toEqual(['a repeated write gets the same answer']);
  });

  test('finds a held poll that heard of a write only after the backstop', () => {
    expect(faultsOf({ looks: [{ ...look, at: 13_001 }] })).toEqual({
      'no wake is missed': 'agent_b heard of turn:first 12001 ms late (s)',
    });
    expect(faultsOf({ looks: [{ ...look, at: 12_999 }] })).toEqual({});
  });

  test('finds a poll that began later and was held all the same', () => {
    const late = { ...look, sentAt: 2_000, at: 7_001 };
    expect(faultsOf({ looks: [late] })).toEqual({
      'no wake is missed': 'agent_b heard of turn:first 5001 ms late (s)',
    });
  });

  test('gives such a poll as long as the slowest request took that does not wait, up to the backstop', () => {
    const slow = { sentAt: 2_000, at: 8_000 };
    const asSlow = { ...look, sentAt: 2_000, at: 8_000 };
    expect(faultsOf({ looks: [asSlow], unheld: [slow] })).toEqual({});
    expect(faultsOf({ looks: [{ ...asSlow, at: 8_001 }], unheld: [slow] })).toEqual({
      'no wake is missed': 'agent_b heard of turn:first 6001 ms late (s)',
    });
    expect(faultsOf({ looks: [asSlow], unheld: [slow] }, [{ from: 7_000, to: 8_000 }])).toEqual({});
    expect(faultsOf({ looks: [{ ...asSlow, at: 14_001 }], unheld: [{ ...slow, at: 60_000 }] })).toEqual({
      'no wake is missed': 'agent_b heard of turn:first 12001 ms late (s)',
    });
  });

  test('finds a poll that was never answered', () => {
    expect(Object.keys(faultsOf({ looks: [{ ...look, at: 14_000, head: null }] }))).toEqual(['no wake is missed']);
    expect(faultsOf({ looks: [look, { ...look, after: 3, at: 14_000, head: null }] })).toEqual({});
  });

  test('expects that no role is woken by its own messages', () => {
    expect(faultsOf({ looks: [{ ...look, by: 'agent_a', at: 25_000 }] })).toEqual({});
  });

  test('leaves out times in which the database was away', () => {
    const looks = [{ ...look, at: 15_000 }];
    expect(faultsOf({ looks }, [{ from: 5_000, to: 9_000 }])).toEqual({});
    expect(Object.keys(faultsOf({ looks }, [{ from: 15_000, to: 19_000 }]))).toEqual(['no wake is missed']);
  });

  test('finds a look that does not show what was stored before it', () => {
    const stale = { ...look, isHeld: false, sentAt: 1_001, at: 1_002, head: 2 };
    expect(faultsOf({ looks: [look, stale] })).toEqual({
      'no look is stale': 'agent_b was shown 2 after turn:first was stored as 3',
    });
  });

  test.each<[string, Page[], string]>([
    ['skips a record', [{ ...page, ids: [3] }], 'one was given 3 after 0, and due was 2,3'],
    ['is given a record twice', [{ ...page, ids: [2, 2, 3] }], 'one was given 2,2,3 after 0, and due was 2,3'],
    ['is sent back', [page, { ...page, after: 3, ids: [], next: 2 }], 'one was sent back from 3 to 2'],
    ['finds less behind it', [page, { ...page, atLeast: 2 }], 'one is back at 0 after it had 2 behind it'],
    ['stops too early', [{ ...page, ids: [2], next: 2 }], 'one ended at 2 and never came to 3'],
  ])('finds a reader that %s', (_what, pages, fault) => {
    expect(faultsOf({ pages })).toEqual({ 'no cursor goes back or skips': fault });
  });

  test('holds the pages of a moderator against its feed', () => {
    const feed = { ...page, of: 'events' as const };
    expect(faultsOf({ pages: [feed], stored: { feed: [2, 3], messages: [3] } })).toEqual({});
    expect(Object.keys(faultsOf({ pages: [feed], stored: { feed: [3] } }))).toEqual(['no cursor goes back or skips']);
  });

  test('finds a log that does not verify, one with a gap, and one that is gone', () => {
    expect(faultsOf({ stored: { broken: 'wrong hash' } })).toEqual({ 'every log verifies': 's: wrong hash' });
    const [first, , third] = events;
    const gap = { events: [first, third].filter((event) => event !== undefined) };
    expect(faultsOf({ stored: gap })).toEqual({ 'every log verifies': 's: event 2 is missing' });
    expect(faultsOf({ stored: { sessionId: 'another' } })['every log verifies']).toBe('s: the session is gone');
  });

  test('finds a session about which nothing is known', () => {
    expect(Object.keys(faultsOf({ looks: [] }))).toEqual(['what was begun is done']);
  });

  test('finds answers, processes and faults that are not as they should be', () => {
    const record = { ...openRecord([]), wrong: ['500'], fallen: ['gone'], unfinished: ['a turn'] };
    const plan = [{ atMs: 0, kind: 'cut' as const }];
    const wrong = judgeRun({ record, stored: [], plan }).filter(({ faults }) => faults.length > 0);
    expect(wrong.map(({ check, faults }) => [check, faults])).toEqual([
      ['every answer is in order', ['500']],
      ['no process needs a hand', ['gone']],
      ['what was begun is done', ['a turn']],
      ['the faults were made', ['0 of 1 cuts of LISTEN']],
    ]);
  });

  test('finds a request that failed in a rolling restart, and not one that was told to come again', () => {
    const plan = [{ atMs: 0, kind: 'round' as const }];
    const judged = (away: [string, number][]) => {
      const record = { ...openRecord([]), away: new Map(away), faults: new Map([['round', 1]]) };
      return judgeRun({ record, stored: [], plan }).flatMap(({ check, faults }) => faults.map((one) => [check, one]));
    };
    expect(judged([['SHUTTING_DOWN', 9]])).toEqual([]);
    expect(judged([['proxy 502', 1]])).toEqual([['no request fails', '1 times proxy 502']]);
    expect(judged([['socket hang up', 2]])).toEqual([['no request fails', '2 times socket hang up']]);
  });
});

describe('the table of a verdict', () => {
  test('shows each check and what is wrong with it', () => {
    const table = tableOf([
      { check: 'nothing is lost', looked: '2 writes', faults: [] },
      { check: 'no wake is missed', looked: '1 wake', faults: ['agent_b was late'], note: 'longest 9 ms' },
    ]);
    expect(table.split('\n')).toEqual([
      'ok       nothing is lost    2 writes',
      '1 WRONG  no wake is missed  1 wake; longest 9 ms',
      'not so: no wake is missed',
      '  agent_b was late',
    ]);
  });
});
