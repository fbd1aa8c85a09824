import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { Caller } from '../../kernel/operation/operation.ts';
import { plural } from '../../kernel/text/readable.ts';
import type { SessionDraft } from '../catalog.ts';
import { latestOf, stepGrounds } from '../grounds/rules.ts';
import { named, pickOf } from '../listing.ts';
import { termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import { type approvalEvents, STEPS_WITH_APPROVERS } from './events.ts';
import { type Approval, ApprovalView, DECIDED_STEPS, type DecidedStep, lastStepOf, STEPS } from './state.ts';

export const StepOptions = z
  .array(z.enum(['authorize_build', 'group_ready']))
  .optional()
  .describe('Members of the input that you can set to true.');
documented.add(StepOptions, { id: 'StepOptions' });

/** What the owner can decide together with a step. Empty if nothing. */
export function optionsOf(state: SessionState, step: DecidedStep): { options?: z.output<typeof StepOptions> } {
  if (step === 'approval' && termsOf(state).buildsWithApproval) return { options: ['authorize_build'] };
  const isForGroup = state.profile.group !== undefined && (step === 'deployment' || step === 'release');
  return isForGroup ? { options: ['group_ready'] } : {};
}

type Approved = ReturnType<(typeof approvalEvents)['approval.given']['data']['parse']>;

const requiredApprovals = ({ profile }: SessionState, decided: DecidedStep): number =>
  STEPS_WITH_APPROVERS.some((one) => one === lastStepOf(decided)) ? profile.required_approvals : 1;

/**
 * The approvals of a step that count, oldest first, and those whose person is not an approver any more. Until the step
 * is taken, an approval is valid while no record on which it rests has changed.
 */
export function approvalsOf(
  state: SessionState,
  decided: DecidedStep,
): { readonly counting: readonly Approval[]; readonly lapsed: readonly Approval[] } {
  const step = lastStepOf(decided);
  const given = state.approvals[step];
  const last = given.at(-1);
  if (!last) return { counting: [], lapsed: [] };
  if (last.is_last) return { counting: countedWith(last, given, requiredApprovals(state, step)), lapsed: [] };
  const changed = latestOf(stepGrounds(state, step));
  const valid = given.filter(({ seq }) => seq > changed);
  return { counting: onePerHuman(valid.filter(({ lapsed }) => !lapsed)), lapsed: valid.filter(({ lapsed }) => lapsed) };
}

const humanOf = ({ person, counts_as }: Approval): string | undefined => counts_as ?? person?.id;

/** Of the approvals of one human, who has a key and a company account, only the last counts. */
const onePerHuman = (approvals: readonly Approval[]): readonly Approval[] =>
  approvals.filter((one) => approvals.findLast((other) => humanOf(other) === humanOf(one)) === one);

/** The approvals with which a step was taken. Old events do not name them: then those that were given last. */
const countedWith = (last: Approval, given: readonly Approval[], required: number): readonly Approval[] =>
  last.counted ? given.filter(({ seq }) => seq === last.seq || last.counted?.includes(seq)) : given.slice(-required);

const nameOf = ({ person }: Approval): string => person?.name ?? 'The owner';

/** Whether the person with an id is an approver at present. A text says so too: the id as whose the approvals of the person count. */
export type IsApprover = (personId: string) => boolean | string;

/** The steps that have approvals, but not yet as many as they need. */
export const stepsWithOpenApprovals = (state: SessionState): readonly (typeof STEPS_WITH_APPROVERS)[number][] =>
  STEPS_WITH_APPROVERS.filter(
    (step) => requiredApprovals(state, step) > 1 && state.approvals[step].at(-1)?.is_last === false,
  );

/**
 * The state as a call sees it: approvals of steps that are not taken yet lapse while their person is not an approver.
 * Used for `decide` and for replies, never folded or cached, because people are in a log of their own.
 */
export function withStanding(state: SessionState, isApprover: IsApprover): SessionState {
  const approvals = stepsWithOpenApprovals(state).map((step) => [
    step,
    state.approvals[step].map((one) => standing(one, !one.person || isApprover(one.person.id))),
  ]);
  return approvals.length === 0
    ? state
    : { ...state, approvals: { ...state.approvals, ...Object.fromEntries(approvals) } };
}

function standing(approval: Approval, isApprover: boolean | string): Approval {
  if (isApprover === true) return approval;
  return isApprover === false ? { ...approval, lapsed: true } : { ...approval, counts_as: isApprover };
}

/**
 * The events to store when a person approves a step:
 * - the events of the step itself, if the step needs one approver or this is the last approval that it needs;
 * - no events, if the step needs several approvers and this person has already approved it, also as another person who is the same
 *   human;
 *   an approval whose person is not an approver any more does not count;
 * - otherwise `approval.given`.
 * @param approved the step, and the revision or manifest to which the approval applies
 * @param drafts makes the events of the step, with the numbers of the other approvals if the step needs several
 * @throws ParleyError INVALID_TRANSITION if the step needs several approvers, and the call names no person
 */
export function approve(
  state: SessionState,
  caller: Caller,
  approved: Approved,
  drafts: (counted: { readonly approvals?: number[] }) => SessionDraft[],
): SessionDraft[] {
  const required = requiredApprovals(state, approved.stage);
  if (required === 1) return drafts({});
  const person = caller.role === 'owner' ? caller.person : undefined;
  if (!person)
    return fail(
      'INVALID_TRANSITION',
      `This session needs ${plural(required, 'approver')}, and the call names no person.`,
      { hint: 'Make the call with the key of a person who is an approver.' },
    );
  const { counting: given } = approvalsOf(state, approved.stage);
  const others = given.filter((one) => humanOf(one) !== (person.countsAs ?? person.id));
  if (others.length + 1 >= required) return drafts({ approvals: others.slice(1 - required).map(({ seq }) => seq) });
  return others.length < given.length ? [] : [{ kind: 'approval.given', data: approved }];
}

/**
 * A sentence about approvers for the owner: how many the step needs, or who has approved it. Empty if the step needs
 * one approver.
 */
export function approvalNote(state: SessionState, step: DecidedStep): string {
  const required = requiredApprovals(state, step);
  if (required === 1) return '';
  const { counting, lapsed } = approvalsOf(state, step);
  const names = counting.map(nameOf);
  const lost = lapsedNote(lapsed.map(nameOf).toReversed());
  return names.length === 0
    ? ` This step needs ${required} approvers.${lost}`
    : ` ${names.join(' and ')} approved; another approver must approve too.${lost}`;
}

/** @param names the latest first */
function lapsedNote(names: readonly string[]): string {
  if (names.length === 0) return '';
  const [approval, verb] = names.length === 1 ? ['approval', 'does'] : ['approvals', 'do'];
  return ` The ${approval} of ${named(names, MAX_LAPSED_NAMED)} ${verb} not count any more.`;
}

const MAX_LAPSED_NAMED = 3;

export const ApprovalsView = namedObject('Approvals', {
  stage: z.enum(DECIDED_STEPS),
  required: z.int().describe('Number of approvers that the step needs.'),
  given: z.array(ApprovalView),
  lapsed: z
    .array(ApprovalView)
    .optional()
    .describe(
      'Approvals that do not count, because the person is not an approver any more: the latest 20. Absent if there are none.',
    ),
});

const MAX_LAPSED = 20;

const viewApproval = pickOf(ApprovalView);

export function viewApprovals(state: SessionState, stage: DecidedStep): z.output<typeof ApprovalsView> {
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
