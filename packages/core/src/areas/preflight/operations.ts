import { z } from 'zod';
import { plural } from '../../kernel/counted.ts';
import { fail } from '../../kernel/errors.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { requireAuthor } from '../contract/rules.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { RequirementView } from '../session/views.ts';
import { MAX_ISSUES } from '../validation/rule.ts';
import { keptMappings, listPreflight, MappingInput, mappingIssues } from './rules.ts';
import { PreflightView } from './state.ts';

export const getPreflight = defineOperation({
  name: 'get_preflight',
  summary: 'Show the requirements to map, and the preflight.',
  rest: 'GET preflight',
  access: { builder: 'get_contract_schema' },
  input: z.strictObject({
    after: z.int().min(0).max(1_000).optional().describe('Skip this many items.'),
  }),
  output: z.strictObject({ requirements: z.array(RequirementView), preflight: PreflightView.nullable(), ...LEFT_OUT }),

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

/**
 * Spec 4.2. A later preflight replaces the mappings of the requirements that it names. Other mappings are kept if the
 * latest revision contains their records.
 */
export const submitPreflight = defineOperation({
  name: 'submit_preflight',
  summary: 'Map requirements to ids of the latest revision; author only.',
  rest: 'POST preflight',
  access: { builder: 'submit_contract' },
  phases: ['CONTRACT'],
  input: z.strictObject({ mappings: z.array(MappingInput).max(500) }),
  output: z.strictObject({ preflight: PreflightView.nullable(), ...LEFT_OUT }),
  errors: ['NOT_CONTRACT_AUTHOR', 'PREFLIGHT_INVALID'],

  decide(state, input, { role }) {
    requireAuthor(state, role);
    const { latest, outline } = state.contract;
    const mappings = input.mappings.map(({ decisions = [], tasks = [], tests = [], gates = [], ...rest }) => ({
      ...rest,
      decisions,
      tasks,
      tests,
      gates,
    }));
    if (!latest || !outline)
      return refuse([
        {
          path: 'mappings',
          message: 'No revision is valid against the contract schema yet: submit one with submit_contract first.',
        },
      ]);
    const whole = [...mappings, ...keptMappings(state, outline, mappings)];
    const issues = mappingIssues(state, outline, whole);
    if (issues.length > 0) return refuse(issues);
    return [{ kind: 'preflight.submitted', data: { revision_id: latest.revision_id, mappings: whole } }];
  },

  reply(state) {
    const lists = boundedLists(LIST_COST);
    const preflight = listPreflight(lists, state);
    return { preflight: preflight(), ...lists.leftOut() };
  },
});

/** The message contains the total number of issues, which may exceed those listed. */
const refuse = (issues: readonly { path: string; message: string }[]): never =>
  fail('PREFLIGHT_INVALID', `The preflight is refused because of ${plural(issues.length, 'fault')}; see \`issues\`.`, {
    issues: issues.slice(0, MAX_ISSUES),
  });
