import { recordTypeOf } from '@parley/core/text';
import { expect, test } from 'vitest';

test.each([
  ['d_1', 'decision'],
  ['q_12', 'question'],
  ['i_1', 'intervention'],
  ['act_1', 'action'],
  ['r_2', 'revision'],
  ['f_1', 'finding'],
  ['h_1', 'hold'],
  ['rec_1', 'recommendation'],
  ['def_1', 'defect'],
  ['m_1', undefined],
  ['d_0', undefined],
  ['d_1 ', undefined],
  ['constructor_1', undefined],
])('the type of %j is %s', (id, type) => {
  expect(recordTypeOf(id)).toBe(type);
});
