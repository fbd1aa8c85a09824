import type { EventBody } from '@parley/core/client';
import { describe, expect, test } from 'vitest';
import {
  AT_THE_END,
  createTranscript,
  cutAtWords,
  type Entry,
  filterEntries,
  grown,
  guessHeight,
  indexAt,
  linkedId,
  linkTo,
  NO_FILTER,
  newBelow,
  rowsOf,
  scrolled,
  speakersIn,
} from '../../console/src/session/transcript/rows.ts';
import type { Message } from '../../src/transcript/message.ts';
import { messageBy, NO_RECORDS } from '../transcript/samples.ts';

const service = { repository: 'shop', service: 'shop' };
const AGENTS = { agent_a: { name: 'Shop agent', ...service }, agent_b: { name: 'Bank agent', ...service } };

const said = <K extends Message['kind']>(
  id: number,
  from: Message['from'],
  kind: K,
  part: Partial<EventBody<K>> = {},
): Message => messageBy(from, kind, part, { id, at: '2026-11-21T10:00:00Z' });

const TALK: readonly Message[] = [
  said(1, 'owner', 'session.created', { title: 'Refunds', objective: 'Money back.', agents: AGENTS }),
  said(2, 'owner', 'session.started'),
  said(3, 'agent_a', 'turn.posted', {
    turn_index: 0,
    round: 1,
    summary: 'We send a Key.',
    proposed_decisions: [{ decision_id: 'd_1', topic: 'Key format', position: 'A UUID.' }],
    verified_facts: [
      { claim: 'It is unique.', evidence: [{ kind: 'file', reference: 'src/key.ts:7', excerpt: 'v7()' }] },
    ],
  }),
  said(4, 'agent_a', 'decision.proposed', { decision_id: 'd_1', topic: 'Key format', in_turn: true }),
  said(5, 'agent_b', 'turn.posted', { turn_index: 1, round: 1, summary: 'Fine (so far).' }),
  said(6, 'agent_a', 'decision.accepted', { decision_id: 'd_1' }),
  said(7, 'agent_b', 'decision.accepted', { decision_id: 'd_1' }),
  said(8, 'agent_b', 'receipt.confirmed', { filename: 'handoff.md', sha256: 'ab' }),
  said(9, 'agent_b', 'receipt.confirmed', { filename: 'contract.md', sha256: 'cd' }),
];

const read = (messages = TALK): readonly Entry[] => createTranscript()(messages);
const idsOf = (entries: readonly Entry[]): number[] => entries.map(({ id }) => id);

describe('the transcript', () => {
  test('of the last messages shows records of earlier messages, and all messages once they are loaded', () => {
    const known = {
      ...NO_RECORDS,
      agents: [
        { role: 'agent_a' as const, name: 'Shop agent' },
        { role: 'agent_b' as const, name: 'Bank agent' },
      ],
      decisions: [{ decision_id: 'd_1', topic: 'Key format' }],
    };
    const read = createTranscript();
    const last = read(TALK.slice(5, 7), known);
    expect(last.map(({ id, name, eventText }) => [id, name, eventText.heading])).toEqual([
      [6, 'Shop agent', 'accepts d_1 Key format'],
      [7, 'Bank agent', 'accepts d_1 Key format'],
    ]);
    expect(read(TALK.slice(5), known).map(({ id }) => id)).toEqual([6, 7, 8, 9]);
    expect(read(TALK, known)).toEqual(createTranscript()(TALK));
  });

  test('names the speakers, and does not repeat what a turn has shown already', () => {
    expect(read().map(({ id, name, eventText }) => [id, name, eventText.heading])).toEqual([
      [1, 'Owner', 'opens "Refunds"'],
      [2, 'Owner', 'starts the session'],
      [3, 'Shop agent', 'turn 1, round 1'],
      [5, 'Bank agent', 'turn 2, round 1'],
      [6, 'Shop agent', 'accepts d_1 Key format'],
      [7, 'Bank agent', 'accepts d_1 Key format'],
      [8, 'Bank agent', 'confirms receipt of handoff.md  ab'],
      [9, 'Bank agent', 'confirms receipt of contract.md  cd'],
    ]);
  });

  test('is the same if it is loaded in pieces', () => {
    const transcript = createTranscript();
    const first = transcript(TALK.slice(0, 5));
    expect(transcript(TALK.slice(0, 5))).toBe(first);
    expect(transcript(TALK).map(({ eventText }) => eventText)).toEqual(read().map(({ eventText }) => eventText));
    expect(transcript(TALK).find(({ id }) => id === 7)?.eventText.outcome).toBe(
      'd_1 Key format is resolved: both agents accepted it',
    );
  });
});

describe('the filter', () => {
  test('returns the same list if the filter is empty', () => {
    const entries = read();
    expect(filterEntries(entries, NO_FILTER)).toBe(entries);
  });

  test('separates conversation from decisions; a turn with a proposal is both', () => {
    const entries = read();
    expect(idsOf(filterEntries(entries, { ...NO_FILTER, topic: 'conversation' }))).toEqual([1, 3, 5]);
    expect(idsOf(filterEntries(entries, { ...NO_FILTER, topic: 'decisions' }))).toEqual([3, 6, 7]);
  });

  test('finds all words anywhere in a message, in any case, together with a speaker', () => {
    const find = (words: string, speaker = '') => idsOf(filterEntries(read(), { ...NO_FILTER, words, speaker }));
    expect(find('KEY uuid')).toEqual([3]);
    expect(find('SRC/key.ts')).toEqual([3]);
    expect(find('resolved')).toEqual([7]);
    expect(find('#8')).toEqual([8]);
    expect(find('accepts', 'agent_b')).toEqual([7]);
    expect(find('(so')).toEqual([5]);
    expect(find('nowhere')).toEqual([]);
  });

  test('offers each speaker once', () => {
    expect(speakersIn(read())).toEqual([
      { role: 'owner', name: 'Owner' },
      { role: 'agent_a' as const, name: 'Shop agent' },
      { role: 'agent_b' as const, name: 'Bank agent' },
    ]);
  });

  test('treats the searched words as plain text, not as patterns', () => {
    expect(cutAtWords('Fine (so far). fine', ['(so', 'fine'])).toEqual(['', 'Fine', ' ', '(so', ' far). ', 'fine', '']);
    expect(cutAtWords('Fine', [])).toEqual(['Fine']);
  });
});

describe('the rows', () => {
  test('name a speaker once for several short lines in a row, until a longer message or a pause', () => {
    expect(rowsOf(read()).map(({ entry, continues }) => [entry.id, continues])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [5, false],
      [6, false],
      [7, false],
      [8, false],
      [9, true],
    ]);
    const later = { ...said(10, 'agent_b', 'receipt.confirmed', { filename: 'x' }), at: '2026-11-21T10:10:00Z' };
    expect(rowsOf(read([...TALK, later])).at(-1)?.continues).toBe(false);
  });

  test('begin each day', () => {
    const next = { ...said(10, 'agent_b', 'receipt.confirmed', { filename: 'x' }), at: '2026-11-23T10:00:00Z' };
    const rows = rowsOf(read([...TALK, next]));
    expect(rows.filter(({ startsDay }) => startsDay).map(({ entry }) => entry.id)).toEqual([1, 10]);
  });

  test('have a larger estimated height the more text they contain and the narrower the page is', () => {
    const [turn, brief] = rowsOf(read()).filter(({ entry }) => entry.id === 3 || entry.id === 6);
    const long = rowsOf(read([...TALK, said(10, 'agent_a', 'turn.posted', { summary: 'word '.repeat(400) })])).at(-1);
    if (!turn || !brief || !long) throw new Error('a row is missing');
    expect(guessHeight(turn, 700)).toBeGreaterThan(guessHeight(brief, 700));
    expect(guessHeight(long, 350)).toBeGreaterThan(guessHeight(long, 700));
  });
});

describe('the place of a reader', () => {
  const entries = read();

  test('is the end until the reader scrolls up, and again when the reader returns to the end', () => {
    const atEnd = scrolled(AT_THE_END, { topPx: 900, belowPx: 0 }, 9);
    expect(atEnd).toEqual({ isAtEnd: true, seenId: 9, topPx: 900 });
    const up = scrolled(atEnd, { topPx: 700, belowPx: 200 }, 9);
    expect(up).toEqual({ isAtEnd: false, seenId: 9, topPx: 700 });
    expect(scrolled(up, { topPx: 760, belowPx: 140 }, 9).isAtEnd).toBe(false);
    expect(scrolled(up, { topPx: 880, belowPx: 20 }, 9).isAtEnd).toBe(true);
  });

  test('stays the end while the list grows below it', () => {
    const atEnd = scrolled(AT_THE_END, { topPx: 900, belowPx: 0 }, 5);
    expect(scrolled(atEnd, { topPx: 900, belowPx: 300 }, 6).isAtEnd).toBe(true);
    expect(grown(atEnd, 9, true)).toEqual({ isAtEnd: true, seenId: 9, topPx: 900 });
  });

  test('counts the new messages below it, and none at the end', () => {
    const up = { isAtEnd: false, seenId: 5, topPx: 10 };
    expect(grown(up, 9, true)).toBe(up);
    expect(newBelow(up, entries)).toBe(4);
    expect(newBelow({ ...up, seenId: 4 }, entries)).toBe(5);
    expect(newBelow({ ...up, isAtEnd: true }, entries)).toBe(0);
  });

  test('does not count older messages that are loaded later as new', () => {
    const up = { isAtEnd: false, seenId: 3, topPx: 10 };
    expect(newBelow(grown(up, 8, false), entries)).toBe(1);
  });

  test('is named by a link; a message within a turn leads to the turn', () => {
    expect(linkTo(123)).toBe('#m-123');
    expect(linkedId('#m-123')).toBe(123);
    expect([linkedId('#main'), linkedId('#m-'), linkedId('#m-1x'), linkedId('')]).toEqual([null, null, null, null]);
    expect(idsOf([3, 4, 5, 99].flatMap((id) => entries[indexAt(entries, id)] ?? []))).toEqual([3, 3, 5, 9]);
    expect(indexAt(entries, 0)).toBe(-1);
  });
});
