import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { pickOf } from '../pick.ts';
import type { SessionState } from '../state.ts';
import { ApprovalView } from './record.ts';
import { approvalsOf, requiredApprovals } from './rules.ts';
import { type ApprovedStep, STEPS } from './state.ts';

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

const viewApproval = pickOf(ApprovalView);

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

type Approvals = z.output<typeof ApprovalsView>;

export const isComplete = ({ given, required }: Approvals): boolean => given.length >= required;

/** What is said about an approval while the step needs another. */
export function firstApprovalText({ stage, given, required }: Approvals): string {
  const count = `${given.length} of ${required}`;
  return stage === 'approval'
    ? `Your approval is recorded: ${count} approvals of the contract. The contract is approved when another approver approves it too.`
    : `Your authorization is recorded: ${count} for the ${stage}. The ${stage} is authorized when another approver authorizes it too.`;
}
