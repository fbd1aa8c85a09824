import { plural } from '../../kernel/counted.ts';
import { fail } from '../../kernel/errors.ts';
import type { Caller } from '../../kernel/operation/operation.ts';
import type { SessionDraft } from '../catalog.ts';
import { stepGrounds } from '../grounds/grounds.ts';
import { latestOf } from '../grounds/rules.ts';
import type { SessionState } from '../state.ts';
import { type approvalEvents, STEPS_WITH_APPROVERS } from './events.ts';
import type { Approval, ApprovedStep } from './state.ts';

type Approved = ReturnType<(typeof approvalEvents)['approval.given']['data']['parse']>;

export const requiredApprovals = ({ profile }: SessionState, step: ApprovedStep): number =>
  STEPS_WITH_APPROVERS.some((one) => one === step) ? profile.requiredApprovals : 1;

/**
 * The approvals of a step that count, oldest first. Until the step is taken, an approval counts while no record on which
 * it rests has changed.
 */
export function standingApprovals(state: SessionState, step: ApprovedStep): readonly Approval[] {
  const given = state.approvals[step];
  if (given.at(-1)?.isLast) return given.slice(-requiredApprovals(state, step));
  const changed = latestOf(stepGrounds(state, step));
  return given.filter(({ seq }) => seq > changed);
}

/**
 * The events to store when a person approves a step:
 * - the events of the step itself, if the step needs one approver or this is the last approval that it needs;
 * - no events, if the step needs several approvers and this person has already approved it;
 * - otherwise `approval.given`.
 * @param approved the step, and the revision or manifest to which the approval applies
 * @param drafts makes the events of the step
 * @throws ParleyError INVALID_TRANSITION if the step needs several approvers, and the call names no person
 */
export function approve(
  state: SessionState,
  caller: Caller,
  approved: Approved,
  drafts: () => SessionDraft[],
): SessionDraft[] {
  const required = requiredApprovals(state, approved.stage);
  if (required === 1) return drafts();
  const person = caller.role === 'owner' ? caller.person : undefined;
  if (!person)
    return fail(
      'INVALID_TRANSITION',
      `This session needs ${plural(required, 'approver')}, and the call names no person.`,
      { hint: 'Make the call with the key of a person who is an approver.' },
    );
  const given = standingApprovals(state, approved.stage);
  if (given.some((one) => one.person?.id === person.id)) return [];
  return given.length + 1 < required ? [{ kind: 'approval.given', data: approved }] : drafts();
}

/**
 * A sentence about approvers for the owner: how many the step needs, or who has approved it. Empty if the step needs
 * one approver.
 */
export function approvalNote(state: SessionState, step: ApprovedStep): string {
  const required = requiredApprovals(state, step);
  if (required === 1) return '';
  const names = standingApprovals(state, step).map(({ person }) => person?.name ?? 'The owner');
  return names.length === 0
    ? ` This step needs ${required} approvers.`
    : ` ${names.join(' and ')} approved; another approver must approve too.`;
}
