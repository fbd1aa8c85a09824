import { expect, test } from 'vitest';
import type { Contract } from '../../src/areas/document/contract.ts';
import { given } from '../../src/testing/index.ts';
import { changed, SAMPLE_CONTRACT } from '../contract/sample-contract.ts';
import { type Call, decided, play, submit } from '../story.ts';

const SENTENCE = 'A sentence of the contract that says what happens and when. ';

/** A contract whose tests contain the given text. 60 tests of 12 sentences each take about 50 kB. */
const contractWith = (then: string, count = 60): Contract =>
  changed({
    tests: Array.from({ length: count }, (_, index) => ({
      ...(SAMPLE_CONTRACT.tests[0] as Contract['tests'][number]),
      id: `test-${index}`,
      then,
    })),
  });

const bytesOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));

test('changes of a contract of 50 kB contain the changed words, not the whole texts', () => {
  const before = contractWith(SENTENCE.repeat(12));
  const after = contractWith(SENTENCE.repeat(12).replace('what', 'exactly what'));
  expect(bytesOf(before)).toBeGreaterThan(44_000);
  const session = given(play(decided, [submit('', before), submit('r_1', after)]));
  const shown = session.when('changes', { since: 'r_1' }, 'owner').reply();
  expect(shown.count).toBe(60);
  expect(shown).not.toHaveProperty('left_out');
  expect(bytesOf(shown)).toBeLessThan(30_000);
  expect(bytesOf(session.when('changes', {}, 'owner').reply())).toBeLessThan(120_000);
});

test('changes that do not fit are read a page at a time', () => {
  const before = changed({ tests: [] });
  const after = {
    ...before,
    notes: Array.from({ length: 1_000 }, (_, at) => ({ id: `n-${at}`, text: '"'.repeat(60) })),
  };
  const past = play(decided, [submit('', before), submit('r_1', after)]);
  const places = new Set<string>();
  let pages = 0;
  for (let from = 0; from < 1_000; pages += 1) {
    const { sections, left_out } = given(past).when('changes', { since: 'r_1', after: from }, 'owner').reply();
    for (const { records } of sections)
      for (const { changes } of records) for (const { path } of changes) places.add(path);
    from = Number(/after: (\d+)/.exec(left_out?.how ?? '')?.[1] ?? 1_000);
  }
  expect({ places: places.size, isPaged: pages > 1 }).toEqual({ places: 1_000, isPaged: true });
});

test('the revisions that caused a change are found among more revisions than are compared one by one', () => {
  const title = (number: number): Call => submit(`r_${number}`, changed({ title: `Title ${number}` }));
  const past = play(decided, [submit(''), ...Array.from({ length: 24 }, (_, at) => title(at + 1))]);
  const { sections } = given(past).when('changes', { since: 'r_1' }, 'owner').reply();
  const [change] = sections[0]?.records[0]?.changes ?? [];
  expect(change).toMatchObject({ place: 'title', before: 'Orders reserve stock', after: 'Title 24' });
  expect(change?.revisions).toEqual(Array.from({ length: 24 }, (_, at) => `r_${at + 2}`));
});
