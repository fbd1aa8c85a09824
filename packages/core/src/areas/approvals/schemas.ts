import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { requiredApprovals, standingApprovals } from './rules.ts';
import { type ApprovedStep, STEPS } from './state.ts';

export const PersonView = z.strictObject({ id: z.string(), name: z.string() });
documented.add(PersonView, { id: 'Person' });

export const ApprovalsView = z.strictObject({
  stage: z.enum(STEPS),
  required: z.int().describe('Number of approvers that the step needs.'),
  given: z.array(
    z.strictObject({ person: PersonView.nullable().describe('Null if the call named no person.'), at: At }),
  ),
});
documented.add(ApprovalsView, { id: 'Approvals' });

export const viewApprovals = (state: SessionState, stage: ApprovedStep): z.output<typeof ApprovalsView> => ({
  stage,
  required: requiredApprovals(state, stage),
  given: standingApprovals(state, stage).map(({ person, at }) => ({ person: person && { ...person }, at })),
});

export const viewAllApprovals = (state: SessionState): z.output<typeof ApprovalsView>[] =>
  STEPS.map((stage) => viewApprovals(state, stage)).filter(({ given }) => given.length > 0);
