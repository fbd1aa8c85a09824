import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const documents = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const LINK = /\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g;
const FILE_IN_TABLE = /`((?:packages|scripts|test|examples)\/[^`*<]+\.\w+)`/g;

describe('documents', () => {
  test.each(documents)('%s links only to what exists', (document) => {
    const targets = [...readFileSync(document, 'utf8').matchAll(LINK)].map(([, target]) =>
      join(dirname(document), target ?? ''),
    );
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  test.each(documents)('%s links only to headings that exist', (document) => {
    const links = [...readFileSync(document, 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)];
    const lost = links.filter(([, target = '', anchor = '']) => {
      const file = target === '' ? document : join(dirname(document), target);
      return file.endsWith('.md') && !anchorsOf(file).includes(anchor);
    });
    expect(lost.map(([link]) => link)).toEqual([]);
  });

  test('the map of areas names each of them once', () => {
    const rows = readFileSync('ARCHITECTURE.md', 'utf8').split('| Areas |')[1]?.split('\n\n')[0] ?? '';
    const named = rows.split('\n').flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? []);
    const areas = readdirSync('packages/core/src/areas', { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(named.toSorted()).toEqual(areas.map(({ name }) => name).toSorted());
  });

  test('the choices name files that exist', () => {
    const files = [...readFileSync('docs/choices.md', 'utf8').matchAll(FILE_IN_TABLE)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  // They name a file by the end of its path.
  test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/vocabulary.md'])('%s names sources that exist', (document) => {
    const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' }).split('\n');
    const named = [...readFileSync(document, 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !sources.some((source) => `/${source}`.endsWith(`/${path}`)))).toEqual([]);
  });
});

/** The anchors that GitHub gives the headings of a document. */
const anchorsOf = (document: string): string[] =>
  [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
