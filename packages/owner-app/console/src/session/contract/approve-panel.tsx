import { useSignal } from '@preact/signals';
import type { Blockers, Plan, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { hasRole } from '../../state/me.ts';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { Field, Tick } from '../../ui/controls/field.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { useAction, useSeen } from '../../ui/requests/use-action.ts';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, roleName, SafeText } from '../../ui/text/shown.tsx';
import { Brief } from '../brief/brief.tsx';
import { hasFewSteps } from '../brief/what-follows.ts';
import { RequestChangesDialog } from './request-changes-dialog.tsx';

/** Number of characters of the hash that the owner must type. */
const TYPED_CHARS = 8;

interface ApproveDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  /** The revision that the page showed when the dialog was opened. */
  readonly shown: { readonly revision_id: string; readonly content_hash: string };
  readonly latest: Plan;
  readonly onClose: () => void;
}

/**
 * The dialog to approve a revision. It shows the brief and asks for the beginning of the hash. Only the revision that
 * was shown when the dialog was opened can be approved. If a newer revision arrives meanwhile, nothing can be approved
 * in this dialog.
 */
export function ApproveDialog({ live, view, shown, latest, onClose }: ApproveDialogProps) {
  const opened = useSignal(shown);
  const seen = useSeen(live);
  const typed = useSignal('');
  const builds = useSignal(false);
  const action = useAction();
  const { revision_id, content_hash } = opened.value;
  const isStale = latest.content_hash !== content_hash || latest.revision_id !== revision_id;
  const isTyped = beginsWith(content_hash, typed.value);
  const approve = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isStale || !isTyped) return;
    if (
      await action.run(() =>
        live.act('approveContract', {
          ...opened.value,
          ...seen,
          ...(builds.value && { authorize_build: true }),
        }),
      )
    )
      onClose();
  };
  return (
    <Dialog title={`Approve ${revision_id}`} of={view.title} onClose={onClose} isRead>
      <form class="stack" onSubmit={(event) => void approve(event)}>
        <Brief live={live} view={view} stage="approval" />
        <p>You approve exactly the bytes with this hash:</p>
        <p class="full-hash">
          <code>{content_hash}</code>
        </p>
        <Field
          label={`The first ${TYPED_CHARS} characters of the hash`}
          hint="Type them, or paste the whole hash."
          value={typed.value}
          error={
            typed.value.trim().length >= TYPED_CHARS && !isTyped
              ? `This is not the beginning of the hash of ${revision_id}.`
              : undefined
          }
          onInput={(value) => {
            typed.value = value;
          }}
        />
        {hasFewSteps(view) && (
          <Tick
            checked={builds.value}
            onChange={(checked) => {
              builds.value = checked;
            }}
          >
            Also authorize the build
          </Tick>
        )}
        <DialogFoot
          error={action.error}
          obstacle={
            isStale ? (
              <div class="failure" role="alert">
                <strong>{latest.revision_id} was submitted meanwhile. Nothing was approved.</strong>
                <p>Close this dialog, read {latest.revision_id}, and decide whether to approve that revision.</p>
              </div>
            ) : (
              !isTyped && (
                <p class="muted">Type the first {TYPED_CHARS} characters of the hash, at the end of this dialog.</p>
              )
            )
          }
          onLeave={onClose}
        >
          <button type="submit" class="primary" disabled={isStale || !isTyped || action.isBusy}>
            Approve {revision_id}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/**
 * Whether the text is the beginning of the hash and has at least `TYPED_CHARS` characters. Ignores case and surrounding
 * spaces.
 */
function beginsWith(hash: string, text: string): boolean {
  const typed = text.trim().toLowerCase();
  return typed.length >= TYPED_CHARS && hash.startsWith(typed);
}

interface ApprovePanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly plan: Plan;
  readonly blockers: Blockers;
  /** Whether the owner has read all of the latest revision. Until then, reading it is the next step. */
  readonly isRead: boolean;
}

const TONES = { INVALID: 'bad', IN_REVIEW: 'warn', CERTIFIED: 'good', APPROVED: 'live' } as const;

/** Shows the latest revision with its hash, and the buttons to approve it and to request changes. */
export function ApprovePanel({ live, view, plan, blockers, isRead }: ApprovePanelProps) {
  const dialog = useSignal<'approve' | 'changes' | null>(null);
  const close = (): void => {
    dialog.value = null;
  };
  const { revision_id, content_hash, title, author, status, certified } = plan;
  if (revision_id === null || content_hash === null || status === null) return null;
  const count = blockers.blockers.length + (blockers.left_out?.count ?? 0);
  const isOpen = view.state.phase === 'CONTRACT' && view.state.status !== 'ENDED';
  const canChange =
    view.state.phase !== 'PLANNING' && (view.state.status === 'ACTIVE' || view.state.status === 'PAUSED');
  return (
    <section class="card approve" aria-labelledby="approve-head">
      <h2 id="approve-head">
        {revision_id} <Badge tone={TONES[status]}>{status}</Badge>
      </h2>
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
        {isOpen && (
          <WriteButton
            needs="approver"
            class={isRead ? 'primary' : undefined}
            disabled={!certified}
            onClick={() => {
              dialog.value = 'approve';
            }}
          >
            Approve…
          </WriteButton>
        )}
        {canChange && (
          <WriteButton
            onClick={() => {
              dialog.value = 'changes';
            }}
          >
            Request changes…
          </WriteButton>
        )}
      </div>
      {isOpen && !hasRole('approver') && <p class="muted">To approve, you need the role approver.</p>}
      {dialog.value === 'approve' && (
        <ApproveDialog live={live} view={view} shown={{ revision_id, content_hash }} latest={plan} onClose={close} />
      )}
      {dialog.value === 'changes' && <RequestChangesDialog live={live} onClose={close} />}
    </section>
  );
}

/**
 * Shows the open caveats of approving reviews, with the answers to them. A caveat never prevents the owner's approval.
 */
function OpenCaveats({ view }: { readonly view: SessionView }) {
  const open = view.findings.filter(
    ({ caveat, status }) => caveat === true && (status === 'OPEN' || status === 'RESPONDED'),
  );
  if (open.length === 0) return null;
  return (
    <div class="caveats">
      <h3>Open caveats</h3>
      <ul>
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
