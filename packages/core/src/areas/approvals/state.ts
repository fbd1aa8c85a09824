import type { PersonRef } from '../../kernel/person.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Slice } from '../slice.ts';

/** The steps that only an approver can take. */
export const STEPS = ['approval', 'build', 'deployment', 'activation'] as const;
export type ApprovedStep = (typeof STEPS)[number];

/** `person` is null if the owner's call named no person. */
export interface Approval {
  readonly person: PersonRef | null;
  readonly at: string;
  /** Number of the event that stored the approval. */
  readonly seq: number;
  /** Whether this approval was the last one that the step needed. */
  readonly isLast: boolean;
  /** Numbers of the other approvals that counted for the step. Only in the last approval of a step that needs several. */
  readonly counted?: readonly number[];
  /** The person is not an approver any more. Never in a folded state: `withStanding` adds it for one call. */
  readonly lapsed?: true;
}

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
  const given = { person: person ?? null, at, seq, isLast: kind !== 'approval.given', ...counted };
  return { ...approvals, [step]: [...others, given] };
}
