import { describe, expect, test } from 'vitest';
import { wordPieces } from '../../console/src/ui/text/word-pieces.ts';

const marked = (before: string, after: string): string =>
  wordPieces(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('');

describe('wordPieces', () => {
  test('marks a changed word and keeps the others', () => {
    expect(marked('The ledger keeps a key for 24 hours.', 'The ledger keeps a key for 10 years.')).toBe(
      'The ledger keeps a key for [-24 hours-]{+10 years+}.',
    );
  });

  test('keeps short words between short insertions', () => {
    expect(marked('A dog runs home today.', 'A big dog now runs home today.')).toBe(
      'A {+big +}dog {+now +}runs home today.',
    );
  });

  test('shows a rewritten sentence as one change, although both sentences have words in common', () => {
    expect(
      marked(
        'The shop retries for 10 minutes and then the order becomes unknown.',
        'The order goes to a sweeper and the shop asks the ledger.',
      ),
    ).toBe(
      'The [-shop retries for 10 minutes and then the order becomes unknown-]{+order goes to a sweeper and the shop asks the ledger+}.',
    );
  });

  test('returns equal texts as one piece', () => {
    expect(wordPieces('Same.', 'Same.')).toEqual([{ kind: 'same', text: 'Same.' }]);
  });
});
