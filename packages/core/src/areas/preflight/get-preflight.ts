import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { RequirementView } from '../session/schemas.ts';
import { PreflightView } from './record.ts';
import { listPreflight } from './schemas.ts';

export const getPreflight = defineOperation({
  name: 'get_preflight',
  summary: 'Show the requirements to map, and the preflight.',
  rest: 'GET preflight',
  access: { builder: 'get_contract_schema' },
  input: z.strictObject({
    after: z.int().min(0).max(1_000).optional().describe('Skip this many items.'),
  }),
  output: z.strictObject({ requirements: z.array(RequirementView), preflight: PreflightView.nullable(), ...LEFT_OUT }),
  errors: [],

  reply(state, { after = 0 }) {
    const lists = boundedLists(LIST_COST);
    const requirements = lists.list({
      records: state.profile.requirements.slice(after),
      view: (requirement) => requirement,
      how: () => 'read_task shows all requirements.',
    });
    const preflight = listPreflight(lists, state, after);
    return { requirements: requirements(), preflight: preflight(), ...lists.leftOut() };
  },
});
