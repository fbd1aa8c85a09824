import { diffOps } from '@parley/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PatchOp, patched } from '../../console/src/api/patched.ts';

describe('the changes that the service sends', () => {
  test('make the later answer of the earlier one', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        const [before, after] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
        expect(patched(before, diffOps(before, after) as readonly PatchOp[])).toEqual(after);
        expect(before).toEqual(JSON.parse(JSON.stringify(a)));
      }),
    );
  });

  test('leave other parts as they are', () => {
    const before = { decisions: [{ id: 'd_1' }, { id: 'd_2', status: 'PROPOSED' }], 'a/b~c': { x: 1 }, waits: [] };
    const after = patched(before, [
      { op: 'replace', path: '/decisions/1/status', value: 'RESOLVED' },
      { op: 'add', path: '/decisions/2', value: { id: 'd_3' } },
      { op: 'remove', path: '/a~1b~0c/x' },
    ]) as typeof before;
    expect(after).toEqual({
      decisions: [{ id: 'd_1' }, { id: 'd_2', status: 'RESOLVED' }, { id: 'd_3' }],
      'a/b~c': {},
      waits: [],
    });
    expect(after.decisions[0]).toBe(before.decisions[0]);
    expect(after.waits).toBe(before.waits);
  });

  test.each(['/decisions/2/status', '/decisions/-1', '/nothing', '/title/x'])('for another answer fail: %s', (path) => {
    const ops: PatchOp[] = [{ op: 'replace', path, value: 1 }];
    expect(() => patched({ title: 'T', decisions: [{}, {}] }, ops)).toThrow(
      new TypeError(`${path} does not exist in the value.`),
    );
  });
});
