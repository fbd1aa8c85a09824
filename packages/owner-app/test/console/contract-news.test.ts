import { expect, test } from 'vitest';
import {
  newsOfSections,
  nextUnread,
  requirementParts,
  sectionsOf,
} from '../../console/src/session/reading/contract-model.ts';
import { edgePath, fitted, layOutGraph } from '../../console/src/ui/graph/graph-layout.ts';
import { newsOfParts, readingText } from '../../src/text/contract-reading.ts';

const CHANGED = [
  {
    section: 'tests',
    count: 3,
    records: [
      { record: 'test-new', changes: [{ kind: 'ADDED', path: '/tests/4' }] },
      { record: 'test-old', changes: [{ kind: 'CHANGED', path: '/tests/1/then' }] },
      { record: 'test-gone', changes: [{ kind: 'REMOVED', path: '/tests/2' }] },
    ],
  },
  { section: 'title', count: 1, records: [{ record: null, changes: [{ kind: 'CHANGED', path: '/title' }] }] },
  { section: 'summary', count: 1, records: [{ record: null, changes: [{ kind: 'CHANGED', path: '/summary' }] }] },
];

test('the parts of the contract that are new or changed, and the number of changes in each section', () => {
  expect([...newsOfParts(CHANGED)]).toEqual([
    ['test-new', 'new'],
    ['test-old', 'changed'],
  ]);
  expect([...newsOfSections(CHANGED)]).toEqual([
    ['tests', 3],
    ['summary', 2],
  ]);
});

test('the next unread section is after the section, then from the first section on', () => {
  const contract = { title: 'Stock', tasks: [], tests: [] };
  const sections = sectionsOf(contract, requirementParts([{ requirement_id: 'req-1', text: 'Once.' }]));
  const next = (after: 'summary' | 'tasks' | 'tests' | null, ...unread: readonly string[]) =>
    nextUnread(sections, ({ id }) => !unread.includes(id), after)?.id;
  expect(next(null, 'tasks', 'tests')).toBe('tasks');
  expect(next('tasks', 'tasks', 'tests')).toBe('tests');
  expect(next('tests', 'requirements', 'tests')).toBe('requirements');
  expect(next('tests', 'tests')).toBeUndefined();
});

test('how much of a contract is read', () => {
  expect(readingText(12, 9)).toBe('9 of 12 sections read');
  expect(readingText(1, 1)).toBe('1 of 1 section read');
});

test('a text of capital letters is cut before it leaves its box', () => {
  expect(fitted('Merge edits per field', 170, 11)).toBe('Merge edits per field');
  const cut = fitted('CAPTURE_UNKNOWN, its sweeper', 170, 11);
  expect(cut).toMatch(/^CAPTURE_UNKNOWN, its?…$/);
});

test('an edge that spans a column passes between the boxes of this column, or below them', () => {
  const item = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });
  const { items, edges } = layOutGraph([
    item('a'),
    item('b', 'a'),
    item('c', 'a'),
    item('d', 'b', 'a'),
    item('e', 'c'),
    item('f', 'c'),
    item('g', 'b', 'a'),
  ]);
  const pathOf = (from: string, to: string) =>
    edges.filter((edge) => edge.from.id === from && edge.to.id === to).map((edge) => edgePath(edge, items));
  // Boxes of a column are at 4 to 50, 66 to 112, and so on. The spaces between them have their middle at 58 and 120.
  expect(pathOf('a', 'b')).toEqual(['M194 27 C210 27 210 27 226 27']);
  expect(pathOf('a', 'd')).toEqual(['M194 27 C210 27 210 58 226 58 H416 C432 58 432 27 448 27']);
  expect(pathOf('a', 'g')).toEqual(['M194 27 C210 27 210 120 226 120 H416 C432 120 432 213 448 213']);
});
