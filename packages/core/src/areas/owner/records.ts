import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { RECORD_TYPES, recordsOf } from './record-types.ts';

/** Records that `view` leaves out of its lists, and each record in full. */
export const records = defineOperation({
  name: 'records',
  summary: 'List the records of one type in order, a page at a time; with id one record in full, with evidence.',
  access: { owner: true },
  input: z.strictObject({
    type: z.enum(RECORD_TYPES),
    id: z.string().max(60).optional().describe('Such as d_12; for a moderator_review the id of its revision.'),
    ...PAGE_INPUT,
  }),
  output: z.strictObject({
    records: z.array(z.record(z.string(), z.unknown())).describe('As view shows them.'),
    ...LEFT_OUT,
  }),
  errors: ['UNKNOWN_RECORD'],

  reads: (state, { type, id }) =>
    id === undefined
      ? []
      : (recordsOf(state, type)
          .find((record) => record.id === id)
          ?.seqs() ?? []),

  reply(state, { type, id, after = 0 }, { loaded }) {
    const all = recordsOf(state, type);
    if (id !== undefined) {
      const found = all.find((record) => record.id === id);
      if (!found) return fail('UNKNOWN_RECORD', `There is no ${type} ${id} in this session.`, { record: { type, id } });
      return { records: [found.whole(loaded)] };
    }
    const { shown, leftOut } = listed({
      records: all,
      view: (record) => record.view(),
      idOf: (record) => record.id,
      tool: 'records',
      also: `type: "${type}"`,
      after,
    });
    return { records: shown, ...leftOut };
  },
});
