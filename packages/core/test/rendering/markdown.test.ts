import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  code,
  fenced,
  inline,
  lines,
  prose,
  table,
  visibleBlock,
  visibleLines,
} from '../../src/areas/rendering/markdown.ts';
import { nodesOf, skeletonOf, treeOf, wordsOf } from './markdown-tree.ts';
import { nastyText } from './nasty-texts.ts';

const RUNS = 150;

describe('inline', () => {
  test.each([
    'The shop sends snake_case_names, 2 * 3 = 6, and ~5 ms; a | b is fine (see §4) [draft].',
    'POST /v1/captures/{order_id} answers 201, "<= 3 tries", R&D, C#, C:\\Users, 50% of $ 5, items[0], don\'t!',
    'Größe – naïve 漢字 👩‍🚀 ⚠️ x < y > z -> w; -5, --force, #12, 3.5, a-b',
  ])('leaves plain text as it is: %s', (text) => {
    expect(inline(text)).toBe(text);
  });

  test.each([
    ['# not a heading', '\\# not a heading'],
    ['- not an item', '\\- not an item'],
    ['1. not an item', '1\\. not an item'],
    ['> not a quote', '\\> not a quote'],
    ['---', '\\---'],
    ['| --- |', '| \\--- |'],
    ['*em* and **strong** and _em_', '\\*em\\* and \\*\\*strong\\*\\* and \\_em\\_'],
    ['~~gone~~', '\\~\\~gone\\~\\~'],
    ['[text](#target)', '\\[text]\\(#target)'],
    ['a [text](#target)', 'a [text]\\(#target)'],
    ['<b>bold</b> &lt;', '\\<b>bold\\</b> \\&lt;'],
    ['the end\\', 'the end\\\\'],
    ['$x$ costs $5', '\\$x$ costs \\$5'],
    ['$`x^2`$', '\\$`x^2`\\$'],
    ['one\r\ntwo\n\nthree', 'one ⏎ two ⏎ three'],
    ['a\u202eb\u200bc\u0000d\u{e0041}', 'a\\u{202e}b\\u{200b}c\\u{0}d\\u{e0041}'],
    ['  nbsp\u00a0and\ttab  ', 'nbsp and tab'],
  ])('shows %j', (text, shown) => {
    expect(inline(text)).toBe(shown);
  });

  test.each([
    ['See https://a.example/b_c (or www.a.example).', 'See `https://a.example/b_c` (or `www.a.example`).'],
    ['Ask @owner or root@a.example, uses @koa/router', 'Ask `@owner` or `root@a.example`, uses `@koa/router`'],
    [
      "Call http://127.0.0.1:<the bank's port>/v1/refunds, then (https://a.example/<id>).",
      "Call `http://127.0.0.1:<the bank's port>/v1/refunds`, then (`https://a.example/<id>`).",
    ],
    ['See <https://a.example> and http://a.example/<x', 'See <`https://a.example`> and `http://a.example/<x`'],
    ['At http://a.example/<no end of it, at all', 'At `http://a.example/<no` end of it, at all'],
    ['Return `409` when ``it`` is `open', 'Return `409` when \\`\\`it\\`\\` is \\`open'],
  ])('shows as code what is code, a link or a mention: %s', (text, shown) => {
    expect(inline(text)).toBe(shown);
  });
});

describe('code', () => {
  test.each([
    ['a', '`a`'],
    ['a`b', '``a`b``'],
    ['`a``', '``` `a`` ```'],
    ['a\nb', '`a ⏎ b`'],
    ['a\u200bb', '`a\\u{200b}b`'],
  ])('keeps %j unchanged', (text, shown) => {
    expect(code(text)).toBe(shown);
  });
});

describe('fenced', () => {
  test('has a fence that is longer than any in the text', () => {
    expect(fenced('a\n````\nb', 'text')).toBe('`````text\na\n````\nb\n`````');
  });

  test('keeps any text complete', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const tree = treeOf(`before\n\n${fenced(text, 'text')}\n\nafter`);
        expect(skeletonOf(tree)).toEqual(['root', ' paragraph', ' code    text', ' paragraph']);
        expect(tree.children?.[1]?.value).toBe(visibleBlock(text).replaceAll('\u0000', '\ufffd'));
      }),
      { numRuns: RUNS },
    );
  });
});

const asSeen = (text: string): string => visibleLines(text).join('').replaceAll(/[`\s]/g, '');
const shownIn = (markdown: string): string =>
  wordsOf(treeOf(markdown)).replaceAll(/[`⏎]/g, '').replaceAll('\\u{7c}', '|');

const NESTED_ITEM = [
  'root',
  ' list  false',
  '  listItem',
  '   paragraph',
  '   list  false',
  '    listItem',
  '     paragraph',
];
const ROW = ['  tableRow', '   tableCell', '   tableCell'];
const TABLE = ['root', ' table', ...ROW, ...ROW];

describe('any text', () => {
  test.each([
    ['a paragraph', (text: string) => inline(text), ['root', ' paragraph']],
    ['a heading', (text: string) => `# ${inline(text)}`, ['root', ' heading 1']],
    ['an item', (text: string) => `- ${inline(text)}`, ['root', ' list  false', '  listItem', '   paragraph']],
    ['a nested item', (text: string) => `- a\n  - ${inline(text)}`, NESTED_ITEM],
    ['the middle of a line', (text: string) => `**Label** ${inline(text)} after`, ['root', ' paragraph', '  strong']],
    ['a cell', (text: string) => table(['a', 'b'], [[inline(text), code(text)]]), TABLE],
    ['a code span', (text: string) => `x ${code(text)} y`, ['root', ' paragraph']],
  ])('is words and nothing else in %s', (_, place, skeleton) => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expect(skeletonOf(treeOf(place(text)))).toEqual(skeleton);
        expect(shownIn(place(text))).toContain(asSeen(text).replaceAll('⏎', '').replaceAll('\\u{7c}', '|'));
      }),
      { numRuns: RUNS },
    );
  });

  test('keeps its lines and paragraphs, and only these', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const types = new Set(nodesOf(treeOf(prose(text))).map(({ type }) => type));
        for (const type of ['root', 'paragraph', 'text', 'inlineCode', 'break']) types.delete(type);
        expect([...types]).toEqual([]);
        expect(shownIn(prose(text))).toBe(asSeen(text).replaceAll('⏎', '').replaceAll('\\u{7c}', '|'));
      }),
      { numRuns: RUNS },
    );
  });

  test('keeps its lines in a list', () => {
    expect(`- ${lines('one\n- two\n\n# three', '  ')}`).toBe('- one\\\n  \\- two\\\n  \\# three');
  });
});
