import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const CODE_BLOCK = /```ts\n([\s\S]*?)```/g;
const blocks = [...readFileSync('README.md', 'utf8').matchAll(CODE_BLOCK)].map(([, code]) => code ?? '');
const sources = ['src', 'test'].flatMap((folder) => {
  const path = `examples/quick-start/${folder}`;
  return readdirSync(path).map((name) => readFileSync(`${path}/${name}`, 'utf8'));
});

test('the README holds its two programs', () => {
  expect(blocks).toHaveLength(2);
});

test.each(blocks.map((code) => [code.split('\n').slice(0, 3).join(' '), code]))(
  'the block "%s" is what an example runs',
  (_name, code) => {
    expect(sources.filter((source) => source.startsWith(code))).toHaveLength(1);
  },
);
