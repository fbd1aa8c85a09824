import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Contract } from '../../src/areas/document/contract.ts';
import { given } from '../../src/testing/index.ts';
import { changed, SAMPLE_CONTRACT } from '../contract/sample-contract.ts';
import { decided, play, submit } from '../story.ts';

const text = fc.string({ minLength: 1, maxLength: 12 });
const words = fc.array(text, { maxLength: 4 });
const named = <T extends object>(records: readonly T[]) => fc.shuffledSubarray([...records]);

/** Variants of the sample contract. Some of them break its schema. */
const contracts: fc.Arbitrary<unknown> = fc.oneof(
  fc
    .record(
      {
        title: text,
        scope: fc.record({ in: words, out: words }),
        decisions: fc.shuffledSubarray(['d_1', 'd_2', 'd_3']),
        tasks: named(SAMPLE_CONTRACT.tasks),
        tests: named(SAMPLE_CONTRACT.tests.map((one) => ({ ...one, title: 'Another title' }))),
        gates: named(SAMPLE_CONTRACT.gates),
        rollout: fc.record({ steps: words, rollback: text }),
        'x/y': fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((members) => changed(members as Partial<Contract>)),
  fc.dictionary(fc.constantFrom('title', 'tests', 'scope', 'a~b', ''), fc.jsonValue({ maxDepth: 3 })),
);

const isCovered = (op: string, path: string): boolean => path === op || path.startsWith(`${op}/`);

test('changes show every operation of the JSON Patch, each place once, and nothing else', () => {
  fc.assert(
    fc.property(contracts, contracts, (before, after) => {
      const session = given(play(decided, [submit('', before), submit('r_1', after)]));
      const { ops } = session.when('diff', { revision_id: 'r_2', exact: true }, 'owner').reply();
      const { sections, count } = session.when('changes', { since: 'r_1' }, 'owner').reply();
      const places = sections.flatMap(({ records }) =>
        records.flatMap(({ changes }) => changes.map(({ kind, path }) => ({ kind, path }))),
      );
      const paths = ops.map(({ path }) => String(path));
      expect(paths.filter((op) => !places.some(({ path }) => isCovered(op, path)))).toEqual([]);
      expect(places.filter(({ path }) => !paths.some((op) => isCovered(op, path)))).toEqual([]);
      expect(count).toBe(places.length);
      expect(count).toBeGreaterThanOrEqual(paths.length);
    }),
    { numRuns: 75 },
  );
});
