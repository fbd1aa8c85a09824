import type { PersonRef } from '../../kernel/person.ts';
import type { SessionEvent } from '../catalog.ts';

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

export const noApprovals: Approvals = { approval: [], build: [], deployment: [], activation: [] };

export function evolveApprovals(approvals: Approvals, event: SessionEvent): Approvals {
  switch (event.kind) {
    case 'approval.given':
      return withApproval(approvals, event.data.stage, event);
    case 'contract.approved':
      return withApproval(approvals, 'approval', event);
    case 'build.authorized':
      return withApproval(approvals, 'build', event);
    case 'deployment.authorized':
      return withApproval(approvals, 'deployment', event);
    case 'activation.authorized':
      return withApproval(approvals, 'activation', event);
    case 'handshake.declared':
      return event.data.commit_changed ? { ...approvals, deployment: [], activation: [] } : approvals;
    case 'revision.created':
    case 'changes.requested':
      return noApprovals;
    default:
      return approvals;
  }
}

function withApproval(approvals: Approvals, step: ApprovedStep, { kind, person, at, seq, data }: Approving): Approvals {
  const others = approvals[step].filter((one) => one.person === null || one.person.id !== person?.id);
  const counted = 'approvals' in data && data.approvals ? { counted: data.approvals } : {};
  const given = { person: person ?? null, at, seq, isLast: kind !== 'approval.given', ...counted };
  return { ...approvals, [step]: [...others, given] };
}
