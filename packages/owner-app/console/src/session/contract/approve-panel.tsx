import type { Blockers, Plan, SessionView } from '../../api/answers.ts';
import { hasRole } from '../../api/client.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { goToElement, useFragment } from '../../ui/controls/browser.ts';
import { DialogButton } from '../../ui/controls/buttons.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, roleName, SafeText } from '../../ui/text/shown.tsx';
import { Brief } from '../brief/brief.tsx';
import { decisionOf, isShownDecision } from '../brief/steps.ts';
import { OperationButton } from '../operation-dialog.tsx';
import { ApproveForm, type ApproveFormProps } from './approve-form.tsx';
import { isOpenFinding } from './findings-panel.tsx';

type ApproveDialogProps = Omit<ApproveFormProps, 'isCard' | 'children'>;

/** The dialog to approve a revision: the brief, and the form below it. */
export const ApproveDialog = ({ live, view, shown, latest, onClose }: ApproveDialogProps) => (
  <Dialog title={`Approve ${shown.revision_id}`} of={view.title} onClose={onClose} isRead>
    <ApproveForm {...{ live, view, shown, latest, onClose }}>
      <Brief live={live} view={view} stage="approval" />
    </ApproveForm>
  </Dialog>
);

interface ApprovePanelProps extends SessionProps {
  readonly plan: Plan;
  readonly blockers: Blockers;
  /** Whether the owner has read all of the latest revision. Until then, reading it is the next step. */
  readonly isRead: boolean;
}

const TONES = { INVALID: 'bad', IN_REVIEW: 'warn', CERTIFIED: 'good', APPROVED: 'live' } as const;

/** Shows the latest revision with its hash, and the buttons to approve it and to request changes. */
export function ApprovePanel({ live, view, plan, blockers, isRead }: ApprovePanelProps) {
  useFragment(true, /^authorize-approval$/, goToElement);
  const { revision_id, content_hash, title, author, status, certified } = plan;
  if (revision_id === null || content_hash === null || status === null) return null;
  const count = blockers.blockers.length + (blockers.left_out?.count ?? 0);
  const isOpen = view.state.phase === 'CONTRACT' && view.state.status !== 'ENDED';
  const hasButton = isOpen && !isShownDecision(view, 'approval');
  const canChange =
    view.state.phase !== 'PLANNING' &&
    !view.waits.some(({ kind }) => decisionOf(view, kind)) &&
    (view.state.status === 'ACTIVE' || view.state.status === 'PAUSED');
  return (
    <Card
      class="card stack approve"
      id={isShownDecision(view, 'approval') ? undefined : 'authorize-approval'}
      head="approve-head"
      title={revision_id}
      note={<Badge tone={TONES[status]}>{status}</Badge>}
    >
      <p>
        <SafeText text={title ?? ''} /> <span class="muted">by {author ? roleName(author) : ''}</span>
      </p>
      <p class="full-hash">
        <code>{content_hash}</code>
      </p>
      {isOpen && !certified && (
        <p class="muted">
          {count} {count === 1 ? 'thing blocks' : 'things block'} the approval.
        </p>
      )}
      {isOpen && <OpenCaveats view={view} />}
      <div class="buttons">
        <DialogButton
          label="Approve…"
          needs="approver"
          class={isRead ? 'primary' : undefined}
          disabled={!certified}
          isOffered={hasButton}
        >
          {(onClose) => (
            <ApproveDialog {...{ live, view, onClose }} shown={{ revision_id, content_hash }} latest={plan} />
          )}
        </DialogButton>
        <OperationButton label="Request changes…" isOffered={canChange} live={live} operation="requestChanges" />
      </div>
      {hasButton && !hasRole('approver') && <p class="muted">To approve, you need the role approver.</p>}
    </Card>
  );
}

/**
 * Shows the open caveats of approving reviews, with the answers to them. A caveat never prevents the owner's approval.
 */
function OpenCaveats({ view }: { readonly view: SessionView }) {
  const open = view.findings.filter((finding) => finding.caveat === true && isOpenFinding(finding));
  if (open.length === 0) return null;
  return (
    <div class="caveats">
      <h3>Open caveats</h3>
      <ul class="bullets texts">
        {open.map(({ finding_id, raised_by, text, response }) => (
          <li key={finding_id}>
            <IdLink id={finding_id} /> {roleName(raised_by)}: <SafeText text={text ?? ''} />{' '}
            {response ? (
              <span class="muted">
                {response.decision}: <SafeText text={response.response ?? ''} />
              </span>
            ) : (
              <Badge tone="warn">not answered</Badge>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
