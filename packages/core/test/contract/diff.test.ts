import { applyPatch as applyTextPatch } from 'diff';
import fc from 'fast-check';
import rfc6902 from 'rfc6902';
import { describe, expect, test } from 'vitest';
import { diffOps } from '../../src/areas/document/diff.ts';
import { applyPatch } from '../../src/areas/document/patch.ts';
import { diffText } from '../../src/areas/document/text-diff.ts';

const tasks = (...ids: string[]): { id: string; title: string; needs: string[] }[] =>
  ids.map((id) => ({ id, title: `The task ${id}`, needs: [] }));

describe('diffOps', () => {
  test.each<[string, unknown, unknown, unknown[]]>([
    ['has no operations for equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['has no operations for members in another order', { a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } }, []],
    ['treats null as an empty contract', null, { a: 1 }, [{ op: 'add', path: '/a', value: 1 }]],
    [
      'names removed, changed and added members',
      { gone: 1, same: 2, changed: 3 },
      { same: 2, changed: 4, here: 5 },
      [
        { op: 'remove', path: '/gone' },
        { op: 'replace', path: '/changed', value: 4 },
        { op: 'add', path: '/here', value: 5 },
      ],
    ],
    [
      'distinguishes null from a missing member',
      { a: null },
      { b: null },
      [
        { op: 'remove', path: '/a' },
        { op: 'add', path: '/b', value: null },
      ],
    ],
    [
      'escapes names',
      { 'a/b': { 'm~n': 1 } },
      { 'a/b': { 'm~n': 2 } },
      [{ op: 'replace', path: '/a~1b/m~0n', value: 2 }],
    ],
    [
      'replaces another kind of value',
      { a: [], b: {}, c: '1' },
      { a: {}, b: null, c: 1 },
      [
        { op: 'replace', path: '/a', value: {} },
        { op: 'replace', path: '/b', value: null },
        { op: 'replace', path: '/c', value: 1 },
      ],
    ],
    [
      'adds an element with one operation',
      { a: ['x', 'y', 'z'] },
      { a: ['x', 'n', 'y', 'z'] },
      [{ op: 'add', path: '/a/1', value: 'n' }],
    ],
    [
      'removes an element with one operation',
      { a: ['x', 'y', 'z'] },
      { a: ['x', 'z'] },
      [{ op: 'remove', path: '/a/1' }],
    ],
    ['appends by the index', { a: ['x'] }, { a: ['x', 'y'] }, [{ op: 'add', path: '/a/1', value: 'y' }]],
    [
      'replaces a changed text in an array',
      { a: ['x', 'y'] },
      { a: ['x', 'n'] },
      [{ op: 'replace', path: '/a/1', value: 'n' }],
    ],
    ['counts repeated elements', { a: [0, 0, 1, 0] }, { a: [0, 0, 0] }, [{ op: 'remove', path: '/a/2' }]],
    [
      'compares the members of an element without an id',
      { a: [{ x: 1, y: 2 }, 3] },
      { a: [{ x: 1, y: 4 }, 3] },
      [{ op: 'replace', path: '/a/0/y', value: 4 }],
    ],
    [
      'finds an equal element whose members have another order',
      { a: [{ x: 1, y: 2 }, 7] },
      { a: [0, { y: 2, x: 1 }, 8] },
      [
        { op: 'add', path: '/a/0', value: 0 },
        { op: 'replace', path: '/a/2', value: 8 },
      ],
    ],
    [
      'distinguishes values that are written almost alike',
      { a: { x: 51 }, b: [{ x: '5' }], c: ['1,2'], d: [[], {}] },
      { a: { x5: 1 }, b: [{ x: 5 }], c: ['1', '2'], d: [{}, []] },
      [
        { op: 'remove', path: '/a/x' },
        { op: 'add', path: '/a/x5', value: 1 },
        { op: 'replace', path: '/b/0/x', value: 5 },
        { op: 'replace', path: '/c/0', value: '1' },
        { op: 'add', path: '/c/1', value: '2' },
        { op: 'add', path: '/d/0', value: {} },
        { op: 'remove', path: '/d/2' },
      ],
    ],
    [
      'finds a task by its id when another task is added before it',
      { tasks: tasks('t1', 't2') },
      { tasks: [...tasks('t0', 't1'), { ...tasks('t2')[0], title: 'Renamed' }] },
      [
        { op: 'add', path: '/tasks/0', value: { id: 't0', title: 'The task t0', needs: [] } },
        { op: 'replace', path: '/tasks/2/title', value: 'Renamed' },
      ],
    ],
    [
      'treats a task with another id as another task',
      { tasks: tasks('t1', 't2') },
      { tasks: tasks('t1', 't3') },
      [
        { op: 'remove', path: '/tasks/1' },
        { op: 'add', path: '/tasks/1', value: { id: 't3', title: 'The task t3', needs: [] } },
      ],
    ],
    [
      'moves one task, not the tasks around it',
      { tasks: tasks('t1', 't2', 't3', 't4') },
      { tasks: tasks('t4', 't1', 't2', 't3') },
      [
        { op: 'add', path: '/tasks/0', value: { id: 't4', title: 'The task t4', needs: [] } },
        { op: 'remove', path: '/tasks/4' },
      ],
    ],
    [
      'finds a file by its filename and an operation by its name',
      { files: [{ filename: 'a', content: '1' }], operations: [{ name: 'x' }, { name: 'y', errors: [] }] },
      {
        files: [
          { filename: 'b', content: '' },
          { filename: 'a', content: '2' },
        ],
        operations: [{ name: 'y', errors: ['no'] }],
      },
      [
        { op: 'add', path: '/files/0', value: { filename: 'b', content: '' } },
        { op: 'replace', path: '/files/1/content', value: '2' },
        { op: 'remove', path: '/operations/0' },
        { op: 'add', path: '/operations/0/errors/0', value: 'no' },
      ],
    ],
    [
      'compares by place if an id occurs twice',
      {
        a: [
          { id: 'x', n: 1 },
          { id: 'x', n: 2 },
        ],
      },
      {
        a: [
          { id: 'x', n: 1 },
          { id: 'x', n: 3 },
        ],
      },
      [{ op: 'replace', path: '/a/1/n', value: 3 }],
    ],
    ['replaces a document that is not an object', [1], 'text', [{ op: 'replace', path: '', value: 'text' }]],
  ])('%s', (_case, before, after, ops) => {
    expect(diffOps(before, after)).toEqual(ops);
    expect(applyPatch(before ?? {}, diffOps(before, after))).toEqual(after);
  });

  test('shows a first contract as its members', () => {
    const contract = { title: 'T', summary: 'S', tasks: tasks('t1') };
    expect(diffOps(null, contract)).toEqual([
      { op: 'add', path: '/title', value: 'T' },
      { op: 'add', path: '/summary', value: 'S' },
      { op: 'add', path: '/tasks', value: [{ id: 't1', title: 'The task t1', needs: [] }] },
    ]);
  });

  test('replaces an array if operations on its items would be far longer', () => {
    const numbers = (count: number, from: number): number[] =>
      Array.from({ length: count }, (_, index) => from + index);
    const before = { kept: 1, list: numbers(500, 0), emptied: numbers(500, 0) };
    const after = { kept: 1, list: numbers(500, 1000), emptied: [] };
    expect(diffOps(before, after)).toEqual([
      { op: 'replace', path: '/list', value: after.list },
      { op: 'replace', path: '/emptied', value: [] },
    ]);
  });

  test('replaces a whole document whose members all have other names', () => {
    const named = (letter: string): object =>
      Object.fromEntries(Array.from({ length: 500 }, (_, n) => [letter + n, n]));
    expect(diffOps(named('a'), named('b'))).toEqual([{ op: 'replace', path: '', value: named('b') }]);
  });

  test('does not compare members with too many values, but compares the other members', () => {
    const rows = (last: number): number[][] => [...Array.from({ length: 7000 }, (_, row) => [row]), [last]];
    const before = { title: 'a', rows: rows(1), same: rows(1), tasks: tasks('t1') };
    const after = { title: 'b', rows: rows(2), same: rows(1), tasks: tasks('t1', 't2') };
    expect(diffOps(before, after)).toEqual([
      { op: 'replace', path: '/title', value: 'b' },
      { op: 'replace', path: '/rows', value: after.rows },
      { op: 'add', path: '/tasks/1', value: tasks('t2')[0] },
    ]);
  });
});

describe('any two values', () => {
  const name = fc.oneof(
    fc.constantFrom('id', 'name', 'filename', '', '0', '-', '~', '/', '~1', '__proto__', 'constructor', 'toString'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const leaf = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('', 'a', 'b', '1', 'true', true, false, null, 1.5, 1e300),
    fc.string({ maxLength: 3 }),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 8 }),
      fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), rest: tie('tree') }), { maxLength: 5 }),
      fc.array(fc.tuple(name, tie('tree')), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
    ),
  }));

  const holds = (before: unknown, after: unknown): void => {
    const [givenBefore, givenAfter] = [JSON.stringify(before), JSON.stringify(after)];
    const ops = diffOps(before, after);
    const empty = before ?? {};
    expect(applyPatch(empty, ops)).toEqual(after);
    expect([JSON.stringify(before), JSON.stringify(after)]).toEqual([givenBefore, givenAfter]);
    expect(JSON.stringify(ops).length).toBeLessThanOrEqual(3 * givenAfter.length + 4000);
  };

  test('are converted, the first into the second, by the operations', () => {
    fc.assert(fc.property(tree, tree, holds), { numRuns: 500 });
  });

  test('of few kinds of elements are converted by the operations', () => {
    const list = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 30 });
    fc.assert(fc.property(list, list, holds), { numRuns: 400 });
  });

  test('are converted the same way by another implementation', () => {
    const plain = fc.dictionary(fc.constantFrom('id', 'a', 'b/c', '~'), tree, { noNullPrototype: true });
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const ops = diffOps(before, after);
        // Skips changes that the library rfc6902 cannot apply: members with these names, and a replacement of the whole document.
        fc.pre(
          !/__proto__|constructor|toString/.test(JSON.stringify([before, after])) && ops.every(({ path }) => path),
        );
        const copy = structuredClone(before);
        rfc6902.applyPatch(copy, JSON.parse(JSON.stringify(ops)));
        expect(copy).toEqual(after);
      }),
      { numRuns: 200 },
    );
  });
});

describe('diffText', () => {
  const names = { before: 'r1', after: 'r2' };
  const textOf = (before: string, after: string): string => diffText(before, after, names).text;
  const numbered = (count: number, word = 'line'): string[] =>
    Array.from({ length: count }, (_, n) => `${word} ${n + 1}\n`);

  test('is empty for equal texts', () => {
    expect(diffText('a\nb\n', 'a\nb\n', names)).toEqual({ text: '', truncated: false });
    expect(diffText('', '', names)).toEqual({ text: '', truncated: false });
  });

  test('shows a change with three lines around it', () => {
    const before = numbered(20);
    expect(diffText(before.join(''), before.with(9, 'changed\n').join(''), names)).toEqual({
      text: [
        '--- r1',
        '+++ r2',
        '@@ -7,7 +7,7 @@',
        ' line 7',
        ' line 8',
        ' line 9',
        '-line 10',
        '+changed',
        ' line 11',
        ' line 12',
        ' line 13',
        '',
      ].join('\n'),
      truncated: false,
    });
  });

  test('shows distant changes separately, each with its line numbers', () => {
    const before = numbered(40);
    const after = before.with(4, 'five\n').toSpliced(30, 0, 'new\n');
    const hunks = textOf(before.join(''), after.join(''))
      .split('\n')
      .filter((line) => line.startsWith('@@'));
    expect(hunks).toEqual(['@@ -2,7 +2,7 @@', '@@ -28,6 +28,7 @@']);
  });

  test.each([
    ['from nothing', '', 'a\nb\n', '@@ -0,0 +1,2 @@\n+a\n+b\n'],
    ['to nothing', 'a\nb\n', '', '@@ -1,2 +0,0 @@\n-a\n-b\n'],
    ['at the start', 'a\nb\n', 'x\na\nb\n', '@@ -1,2 +1,3 @@\n+x\n a\n b\n'],
    ['at the end', 'a\n', 'a\nb\n', '@@ -1,1 +1,2 @@\n a\n+b\n'],
    ['a last line break', 'a\nb', 'a\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n'],
    ['within a line', 'xxaxx\n', 'xxbxx\n', '@@ -1,1 +1,1 @@\n-xxaxx\n+xxbxx\n'],
    ['line breaks of another kind', 'a\r\nb\r\n', 'a\nb\r\n', '@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n'],
    ['a line like the one above', 'a\n', 'a\na\n', '@@ -1,1 +1,2 @@\n a\n+a\n'],
  ])('shows a change %s', (_what, before, after, hunk) => {
    expect(textOf(before, after)).toBe(`--- r1\n+++ r2\n${hunk}`);
  });

  test('returns one block with its context if the shortest diff is too expensive', () => {
    const shape = (word: string): string => [...numbered(10), ...numbered(900, word), ...numbered(10)].join('');
    const { text, truncated } = diffText(shape('before'), shape('after'), names);
    expect(truncated).toBe(false);
    expect(text.split('\n').slice(0, 7)).toEqual([
      '--- r1',
      '+++ r2',
      '@@ -8,906 +8,906 @@',
      ' line 8',
      ' line 9',
      ' line 10',
      '-before 1',
    ]);
    expect(text.split('\n').slice(-5)).toEqual(['+after 900', ' line 1', ' line 2', ' line 3', '']);
    expect(applyTextPatch(shape('before'), text)).toBe(shape('after'));
  });

  test('is cut at the end of a line, and its last line reports the cut', () => {
    const { text, truncated } = diffText('', numbered(10_000, 'a line of a long text').join(''), names);
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text.length).toBeGreaterThan(59_900);
    expect(text.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/^\+a line of a long text \d{4}$/),
      'The diff is longer; it was cut here.',
      '',
    ]);
  });

  test('shows many new lines as added, and none as removed', () => {
    const [before, put] = [numbered(20), numbered(900, 'new')];
    const { text } = diffText(before.join(''), before.toSpliced(10, 0, ...put).join(''), names);
    expect(text.split('\n').filter((line) => /^-(?!--)/.test(line))).toEqual([]);
    expect(text.split('\n').filter((line) => /^\+(?!\+\+)/.test(line))).toHaveLength(900);
  });

  test.each(['', 'x'])('is cut within one giant line, but not within a character, after "%s"', (start) => {
    const { text, truncated } = diffText(start + '😀'.repeat(60_000), 'other', names);
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text.length).toBeGreaterThan(59_900);
    expect(text.isWellFormed()).toBe(true);
    expect(text.endsWith('😀\nThe diff is longer; it was cut here.\n')).toBe(true);
  });

  describe('of paragraphs', () => {
    const paragraph = (word: string): string =>
      Array.from({ length: 40 }, (_, n) => `${word} ${n} stands here.`).join(' ');

    test('marks the changed words of each paragraph, and shortens the paragraphs around them', () => {
      const before = [paragraph('One'), paragraph('Two'), paragraph('Three')];
      const after = [paragraph('One'), paragraph('New'), paragraph('Two').replace('Two 7', 'Two seven'), before[2]];
      expect(textOf(before.join('\n'), after.join('\n')).split('\n').slice(2)).toEqual([
        '@@ -1,3 +1,4 @@',
        ' One 0 stands here. One 1 stands here. One 2 stands here. One 3 stands here. One…',
        `+${paragraph('New')}`,
        '~… 5 stands here. Two 6 stands here. Two [-7 -]{+seven +}stands here. Two 8 stands here. Two 9 …',
        ' Three 0 stands here. Three 1 stands here. Three 2 stands here. Three 3 stands h…',
        '\\ No newline at end of file',
        '',
      ]);
    });

    test('shows a replaced paragraph in full', () => {
      const [before, after] = [paragraph('One'), 'It is written anew, from the first word to the last one. '.repeat(4)];
      expect(textOf(`${before}\n`, `${after}\n`)).toBe(`--- r1\n+++ r2\n@@ -1,1 +1,1 @@\n-${before}\n+${after}\n`);
    });
  });

  test('converts the first text to the second, for generated texts', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'b', '# c', ' ', '-', '+x', '@@', '\\'),
      fc.string({ maxLength: 3 }),
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', '\n'))
      .map(([lines, end]) => lines.join('\n') + end);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { text, truncated } = diffText(before, after, names);
        expect(truncated).toBe(false);
        // An empty diff is not applied, because the library `diff` rejects a patch without hunks.
        expect(text === '' ? before : applyTextPatch(before, text, { autoConvertLineEndings: false })).toBe(after);
        expect(diffText(before, after, names)).toEqual({ text, truncated });
      }),
      { numRuns: 400 },
    );
  });
});
