import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { approvalsOf, requiredApprovals } from './rules.ts';
import { type Approval, type ApprovedStep, STEPS } from './state.ts';

export const PersonView = z.strictObject({ id: z.string(), name: z.string() });
documented.add(PersonView, { id: 'Person' });

const ApprovalView = z.strictObject({
  person: PersonView.nullable().describe('Null if the call named no person.'),
  at: At,
});
documented.add(ApprovalView, { id: 'Approval' });

export const ApprovalsView = z.strictObject({
  stage: z.enum(STEPS),
  required: z.int().describe('Number of approvers that the step needs.'),
  given: z.array(ApprovalView),
  lapsed: z
    .array(ApprovalView)
    .optional()
    .describe(
      'Approvals that do not count, because the person is not an approver any more: the latest 20. Absent if there are none.',
    ),
});
documented.add(ApprovalsView, { id: 'Approvals' });

const MAX_LAPSED = 20;

const viewApproval = ({ person, at }: Approval) => ({ person: person && { ...person }, at });

export function viewApprovals(state: SessionState, stage: ApprovedStep): z.output<typeof ApprovalsView> {
  const { counting, lapsed } = approvalsOf(state, stage);
  return {
    stage,
    required: requiredApprovals(state, stage),
    given: counting.map(viewApproval),
    ...(lapsed.length > 0 ? { lapsed: lapsed.slice(-MAX_LAPSED).map(viewApproval) } : {}),
  };
}

export const viewAllApprovals = (state: SessionState): z.output<typeof ApprovalsView>[] =>
  STEPS.map((stage) => viewApprovals(state, stage)).filter(({ given, lapsed }) => given.length > 0 || lapsed);
