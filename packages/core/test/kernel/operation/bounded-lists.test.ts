import { describe, expect, test } from 'vitest';
import { boundedLists, costOf, textPiece } from '../../../src/kernel/operation/bounded-lists.ts';

interface Item {
  readonly id: number;
  readonly isOpen: boolean;
}

/** Ten records, of which 2, 5 and 8 are open. `costOf` returns 12 bytes for the shown form of each record. */
const ten = Array.from({ length: 10 }, (_, id): Item => ({ id, isOpen: id % 3 === 2 }));
const shownAs = ({ id }: Item): string => `${id}x`;
const how = (last: Item | undefined): string => `Call list with after: ${last?.id ?? 'nothing'}.`;

describe('what a value costs', () => {
  test.each([
    ['plain text, with its quotation marks', 'abc', 5 + 9],
    ['a quotation mark, which takes two bytes and then four', '"', 4 + 10],
    ['a character of three bytes', '語', 5 + 9],
    ['a character of four bytes', '😀', 6 + 10],
    ['an object', { a: 1 }, 7 + 11],
  ])('%s', (_what, value, bytes) => {
    expect(costOf(value)).toBe(bytes);
  });
});

describe('the lists of an answer', () => {
  test('are returned in full if they fit, without left_out', () => {
    const lists = boundedLists(120);
    const shown = lists.list({ records: ten, view: shownAs, how });
    expect(shown()).toEqual(['0x', '1x', '2x', '3x', '4x', '5x', '6x', '7x', '8x', '9x']);
    expect(lists.leftOut()).toEqual({});
  });

  test('choose current records first, then the newest of the others, and show all in their order', () => {
    const lists = boundedLists(60);
    const shown = lists.list({ records: ten, view: shownAs, isCurrent: ({ isOpen }) => isOpen, how });
    expect(shown()).toEqual(['2x', '5x', '8x', '7x', '9x'].toSorted());
    expect(lists.leftOut()).toEqual({ left_out: { count: 5, how: 'Call list with after: 9.' } });
  });

  test('choose current records beginning with the oldest', () => {
    const lists = boundedLists(40);
    const shown = lists.list({ records: ten, view: shownAs, how });
    expect(shown()).toEqual(['0x', '1x', '2x']);
    expect(lists.leftOut()).toEqual({ left_out: { count: 7, how: 'Call list with after: 2.' } });
  });

  test('show the first record at any size', () => {
    const lists = boundedLists(0);
    const shown = lists.list({ records: ten, view: shownAs, how });
    expect(shown()).toEqual(['0x']);
    expect(lists.leftOut()).toEqual({ left_out: { count: 9, how: 'Call list with after: 0.' } });
  });

  test('share the available length: a list can use what another list does not need', () => {
    const lists = boundedLists(84);
    const few = lists.list({ records: ten.slice(0, 2), view: shownAs, how });
    const many = lists.list({ records: ten, view: shownAs, how });
    expect([few(), many()]).toEqual([
      ['0x', '1x'],
      ['0x', '1x', '2x', '3x', '4x'],
    ]);
    expect(lists.leftOut()).toEqual({ left_out: { count: 5, how: 'Call list with after: 4.' } });
  });

  test('report for each list what is left out', () => {
    const lists = boundedLists(48);
    lists.list({ records: ten, view: shownAs, how });
    lists.list({ records: ten, view: shownAs, how });
    lists.leave({ count: 3, how: 'Read it elsewhere.' });
    expect(lists.leftOut()).toEqual({
      left_out: {
        count: 19,
        how: '8: Call list with after: 1. 8: Call list with after: 1. 3: Read it elsewhere.',
      },
    });
  });

  test('are not read beyond the first record that does not fit', () => {
    const looked: number[] = [];
    const view = (item: Item): string => {
      looked.push(item.id);
      return shownAs(item);
    };
    const lists = boundedLists(24);
    lists.list({ records: ten, view, how })();
    expect(looked).toEqual([0, 1, 2]);
  });
});

describe('a piece of a text', () => {
  test('is the whole text if the text fits', () => {
    expect(textPiece('abc', 0, 14)).toEqual({ text: 'abc', end: 3 });
  });

  test('ends at the available length, and the next piece begins there', () => {
    expect(textPiece('abcdef', 0, 14)).toEqual({ text: 'abc', end: 3 });
    expect(textPiece('abcdef', 3, 14)).toEqual({ text: 'def', end: 6 });
  });

  test('is nothing at the end and beyond', () => {
    expect(textPiece('abc', 3, 14)).toEqual({ text: '', end: 3 });
    expect(textPiece('abc', 9, 14)).toEqual({ text: '', end: 3 });
  });

  test('never begins or ends within a character', () => {
    expect(textPiece('a😀b', 0, 12)).toEqual({ text: 'a', end: 1 });
    expect(textPiece('a😀b', 2, 100)).toEqual({ text: '😀b', end: 4 });
  });
});
