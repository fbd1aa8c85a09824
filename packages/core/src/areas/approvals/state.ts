import { z } from 'zod';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { SessionEvent, Slice } from '../catalog.ts';
import { At } from '../fields.ts';
import { RELEASE } from './events.ts';

export const PersonView = namedObject('Person', { id: z.string(), name: z.string() });

export const ApprovalView = namedObject('Approval', {
  person: PersonView.nullable().describe('Null if the call named no person.'),
  at: At,
});

export interface Approval extends Readonly<z.output<typeof ApprovalView>> {
  /** Number of the event that stored the approval. */
  readonly seq: number;
  /** Whether this approval was the last one that the step needed. */
  readonly is_last: boolean;
  /** Numbers of the other approvals that counted for the step. Only in the last approval of a step that needs several. */
  readonly counted?: readonly number[];
  /** The person is not an approver any more. Never in a folded state: `withStanding` adds it for one call. */
  readonly lapsed?: true;
  /** The `countsAs` of the person. Never in a folded state, like `lapsed`. */
  readonly counts_as?: string;
}

/** The steps that only an approver can take. */
export const STEPS = ['approval', 'build', 'deployment', 'activation'] as const;
export type ApprovedStep = (typeof STEPS)[number];

/** What the owner decides at once: a step, or the release. */
export const DECIDED_STEPS = [...STEPS, RELEASE] as const;
export type DecidedStep = (typeof DECIDED_STEPS)[number];

/** The steps that an approval is about. That of the release is about both of its steps. */
export const stepsOf = (step: DecidedStep): readonly ApprovedStep[] =>
  step === RELEASE ? ['deployment', 'activation'] : [step];

/** The last of the steps that an approval is about: who has approved it, has approved the others too. */
export const lastStepOf = (step: DecidedStep): ApprovedStep => (step === RELEASE ? 'activation' : step);

/**
 * The approvals of each step, oldest first, at most one of each person. A new revision and a request for changes remove
 * all approvals. A changed commit removes the approvals of the deployment and the activation.
 */
export type Approvals = Readonly<Record<ApprovedStep, readonly Approval[]>>;

type Approving = Extract<
  SessionEvent,
  { kind: 'approval.given' | 'contract.approved' | `${'build' | 'deployment' | 'activation'}.authorized` }
>;

const noApprovals: Approvals = { approval: [], build: [], deployment: [], activation: [] };

export const approvalsSlice: Slice<Approvals> = {
  empty: noApprovals,
  folds: {
    'approval.given': (approvals, event) =>
      stepsOf(event.data.stage).reduce((all, step) => withApproval(all, step, event), approvals),
    'contract.approved': (approvals, event) => withApproval(approvals, 'approval', event),
    'build.authorized': (approvals, event) => withApproval(approvals, 'build', event),
    'deployment.authorized': (approvals, event) => withApproval(approvals, 'deployment', event),
    'activation.authorized': (approvals, event) => withApproval(approvals, 'activation', event),
    'handshake.declared': (approvals, event) =>
      event.data.commit_changed ? { ...approvals, deployment: [], activation: [] } : approvals,
    'revision.created': () => noApprovals,
    'changes.requested': () => noApprovals,
  },
};

function withApproval(approvals: Approvals, step: ApprovedStep, { kind, person, at, seq, data }: Approving): Approvals {
  const others = approvals[step].filter((one) => one.person === null || one.person.id !== person?.id);
  const counted = 'approvals' in data && data.approvals ? { counted: data.approvals } : {};
  const given = { person: person ?? null, at, seq, is_last: kind !== 'approval.given', ...counted };
  return { ...approvals, [step]: [...others, given] };
}
