import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderContract } from '../../../core/src/areas/rendering/contract.ts';
import { isQuickToParse, markdownWork } from '../../src/text/markdown-work.ts';

test.each([
  ['footnotes that nothing closes', `${'x[^a'.repeat(20_000)}${'b]'.repeat(20_000)}`],
  ['brackets', `${'[a'.repeat(1_500)}${'b]'.repeat(1_500)}`],
  ['opening brackets', '['.repeat(3_000)],
  ['ends of links', 'a]( '.repeat(2_000)],
  ['images', `${'![a'.repeat(1_500)}${'b]'.repeat(1_500)}`],
  ['links', '[a](b) '.repeat(1_000)],
  ['stars', '*a '.repeat(2_000)],
  ['stars beside underscores', '*a_ '.repeat(1_500)],
  ['underscores', 'a_ '.repeat(2_000)],
  ['tildes', '~a'.repeat(3_000)],
  ['backticks', '``\na '.repeat(1_000)],
  ['HTML', 'a<?'.repeat(2_000)],
  ['comments of HTML', 'a <!-- b\n'.repeat(1_000)],
  ['entities', '&amp;'.repeat(2_000)],
  ['backslashes', '\\\n'.repeat(2_000)],
  ['exclamation marks', '!'.repeat(2_000)],
  ['an address of dots', `http://a.b/${'.'.repeat(6_000)}a`],
  ['addresses', 'a.b@ '.repeat(2_000)],
  ['cells of a table', `${'|a'.repeat(1_000)}\n${'|-'.repeat(1_000)}`],
  ['rows of tables', '|a|\n|-|\n\n'.repeat(2_000)],
  ['quotations in quotations', '>'.repeat(3_000)],
  ['lists in lists', '+ '.repeat(3_000)],
  ['numbered lists in lists', '1. '.repeat(2_000)],
  ['lists in quotations', '- > '.repeat(1_500)],
  ['lists by indentation', Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
  ['items of a list', '- a\n'.repeat(4_000)],
  ['items after a carriage return', '- a\r'.repeat(4_000)],
  ['headings', '# a\n'.repeat(4_000)],
  ['underlined headings', 'a\n=\n'.repeat(2_000)],
  ['definitions', '[a]: b\n'.repeat(1_000)],
  ['definitions of footnotes', '[^a]: b\n'.repeat(1_000)],
  ['paragraphs of brackets', `${'[a'.repeat(200)}\n\n`.repeat(40)],
])('not parsed, for the parser takes too long: %s', (_, text) => {
  expect(isQuickToParse(text)).toBe(false);
});

test.each(['payment-capture', 'offline-sync', 'signed-webhooks'])('the contract of %s is parsed', async (name) => {
  const text = renderContract(await contractOf(name));
  expect(text.length).toBeGreaterThan(15_000);
  expect(isQuickToParse(text)).toBe(true);
});

test.each(['payment-capture', 'offline-sync', 'signed-webhooks'])(
  '%s with three times the records is parsed',
  async (name) => {
    const records = Object.entries(await contractOf(name));
    const tripled = records.map(([key, value]) => [key, Array.isArray(value) ? [...value, ...value, ...value] : value]);
    const text = renderContract(Object.fromEntries(tripled));
    expect(text.length).toBeGreaterThan(40_000);
    expect(isQuickToParse(text)).toBe(true);
  },
);

test('190,000 characters of prose, and a long document with code and tables, are parsed', async () => {
  expect(isQuickToParse('A sentence of the contract. '.repeat(6_900))).toBe(true);
  expect(isQuickToParse(await readFile(new URL('../../../../docs/connect.md', import.meta.url), 'utf8'))).toBe(true);
});

test('the work is counted by marks, lines, indentation and nesting', () => {
  expect(markdownWork('A plain sentence, (and) "another".')).toEqual({ total: 2, inParagraph: 0, nesting: 0 });
  expect(markdownWork('[a](b) *c*')).toEqual({ total: 6, inParagraph: 4, nesting: 0 });
  expect(markdownWork('[a]\n[b]\n\n[c]')).toEqual({ total: 14, inParagraph: 4, nesting: 0 });
  expect(markdownWork('> > - 1. a\n- b')).toEqual({ total: 4, inParagraph: 0, nesting: 17 });
  expect(markdownWork('    a')).toEqual({ total: 4, inParagraph: 0, nesting: 0 });
  expect(markdownWork('See http://a.b/?c')).toEqual({ total: 8, inParagraph: 6, nesting: 0 });
});

async function contractOf(name: string) {
  const contract = JSON.parse(
    await readFile(new URL(`../../../missions/${name}/contract.json`, import.meta.url), 'utf8'),
  );
  for (const artifact of contract.artifacts) artifact.content = 'The text of the file.';
  return contract;
}
