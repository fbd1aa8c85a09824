import { expect, test } from 'vitest';
import { foldHits } from '../../src/text/records/hits.ts';

interface Hit {
  readonly session_id: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly excerpt: string;
  readonly status?: string;
  readonly superseded_by?: string;
  readonly elsewhere?: readonly string[];
  readonly marks?: readonly { readonly end: number }[];
  readonly places?: readonly { readonly excerpts: readonly string[] }[];
}

const hit = (session_id: string, excerpt: string, more: Partial<Hit> = {}): Hit => ({
  session_id,
  record: { type: 'turn', id: '0' },
  excerpt,
  ...more,
});

const idsOf = (hits: readonly Hit[]): string =>
  hits.map(({ session_id, record }) => `${session_id} ${record.id}`).join(', ');

/** For each entry: its hit, and the hits that are folded into it. */
const folds = (hits: readonly Hit[]) =>
  foldHits(hits).map((entry) => [
    idsOf([entry.hit]),
    { also: idsOf(entry.also), similar: idsOf(entry.similar), earlier: idsOf(entry.earlier) },
  ]);

const alone = { also: '', similar: '', earlier: '' };

test('hits of other sessions with the same text and status are folded into the first', () => {
  const hits = [
    hit('s1', 'A key.'),
    hit('s1', 'A key.'),
    hit('s2', 'A key.'),
    hit('s3', 'A key.', { status: 'OPEN' }),
    hit('s2', 'A key.'),
  ];
  expect(folds(hits)).toEqual([
    ['s1 0', { ...alone, also: 's2 0' }],
    ['s1 0', alone],
    ['s3 0', alone],
  ]);
});

const SHOP =
  'The shop mints capture_id (UUIDv7) and stores it on the order before the first call. Every try of that capture sends it.';
const DESK = SHOP.replace('shop', 'hotel front desk');
const KEYS =
  "Idempotency-Key optional until the shop's rollout ends, then required. 201 booked, 200 known key with the same body.";

test('texts of other sessions that have three quarters of their words in common are folded as similar', () => {
  const decision = { record: { type: 'decision', id: 'd_2' }, status: 'RESOLVED' };
  const hits = [
    hit('s1', SHOP, decision),
    hit('s2', DESK, decision),
    hit('s3', 'The bank keeps every idempotency key and never forgets a thing of it.', decision),
    hit('s4', SHOP.replace('shop', 'kiosk'), { ...decision, record: { type: 'decision', id: 'd_3' } }),
    hit('s5', DESK, { ...decision, status: 'PROPOSED' }),
    hit('s1', DESK, decision),
    hit('s6', SHOP.replace('shop', 'canteen'), { ...decision, record: { type: 'question', id: 'q_1' } }),
    hit('s7', KEYS),
    hit('s8', KEYS.replace('shop', 'gift card shop')),
    hit('s9', KEYS.replace('shop', 'canteen')),
  ];
  expect(folds(hits)).toEqual([
    ['s1 d_2', { ...alone, similar: 's2 d_2, s4 d_3' }],
    ['s3 d_2', alone],
    ['s5 d_2', alone],
    ['s1 d_2', alone],
    ['s6 q_1', alone],
    ['s7 0', { ...alone, similar: 's8 0, s9 0' }],
  ]);
});

test('short texts are not similar', () => {
  expect(folds([hit('s1', 'A key of the bank.'), hit('s2', 'A key of the shop.')])).toEqual([
    ['s1 0', alone],
    ['s2 0', alone],
  ]);
});

test('superseded decisions are folded into the decision that superseded them, if it is a hit', () => {
  const decision = (id: string, more: Partial<Hit> = {}) =>
    hit('s1', `The text of ${id}.`, { record: { type: 'decision', id }, status: 'RESOLVED', ...more });
  const superseded = (by: string) => ({ status: 'SUPERSEDED', superseded_by: by });
  const hits = [
    decision('d_1', superseded('d_2')),
    decision('d_2', superseded('d_3')),
    decision('d_3'),
    decision('d_4', superseded('d_5')),
    { ...decision('d_5'), session_id: 's2' },
  ];
  expect(folds(hits)).toEqual([
    ['s1 d_3', { ...alone, earlier: 's1 d_1, s1 d_2' }],
    ['s2 d_5', alone],
    ['s1 d_4', alone],
  ]);
});

test('what was said comes before contracts, words that stand apart, and superseded decisions', () => {
  const hits = [
    hit('s1', 'Old.', { status: 'SUPERSEDED' }),
    hit('s2', 'Apart.', { elsewhere: ['key'] }),
    hit('s3', 'Frozen.', { record: { type: 'manifest', id: 'm_1' } }),
    hit('s4', 'Planned.', { record: { type: 'revision', id: 'r_1' } }),
    hit('s5', 'Said.', { record: { type: 'question', id: 'q_1' } }),
  ];
  expect(folds(hits).map(([id]) => id)).toEqual(['s5 q_1', 's3 m_1', 's4 r_1', 's2 0', 's1 0']);
});

test('a session is named at each text that stands in its contract, whichever place of it is shown', () => {
  const contract = (session_id: string, ...excerpts: readonly [string, ...string[]]) =>
    hit(session_id, excerpts[0], { record: { type: 'revision', id: 'r_1' }, places: [{ excerpts }] });
  const hits = [contract('s1', 'A lock.', 'All time out.'), contract('s2', 'All time out.'), contract('s3', 'A lock.')];
  expect(folds(hits)).toEqual([
    ['s1 r_1', { ...alone, also: 's3 r_1' }],
    ['s2 r_1', { ...alone, also: 's1 r_1' }],
  ]);
});

test('texts with a whole word come before texts with a longer word', () => {
  const hits = [hit('s1', 'A handler.', { marks: [{ end: 6 }] }), hit('s2', 'By hand.', { marks: [{ end: 7 }] })];
  expect(folds(hits).map(([id]) => id)).toEqual(['s2 0', 's1 0']);
});
