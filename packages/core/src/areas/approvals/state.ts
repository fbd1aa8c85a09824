import type { SessionEvent } from '../catalog.ts';
import type { Slice } from '../slice.ts';
import type { Approval } from './record.ts';

/** The steps that only an approver can take. */
export const STEPS = ['approval', 'build', 'deployment', 'activation'] as const;
export type ApprovedStep = (typeof STEPS)[number];

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
    'approval.given': (approvals, event) => withApproval(approvals, event.data.stage, event),
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
