import { useSignal } from '@preact/signals';
import type { Blockers, Plan, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Tick } from '../../ui/field.tsx';
import { Badge, roleName, SafeText } from '../../ui/shown.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

interface ApprovePanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly plan: Plan;
  readonly blockers: Blockers;
}

const TONES = { INVALID: 'bad', IN_REVIEW: 'warn', CERTIFIED: 'good', APPROVED: 'live' } as const;

/** Shows the latest revision with its hash, and buttons to approve it or to send it back. */
export function ApprovePanel({ live, view, plan, blockers }: ApprovePanelProps) {
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
          {count} {count === 1 ? 'thing blocks' : 'things block'} it.
        </p>
      )}
      {isOpen && <OpenCaveats view={view} />}
      <div class="buttons">
        {isOpen && (
          <button
            type="button"
            class="primary"
            disabled={!certified}
            onClick={() => {
              dialog.value = 'approve';
            }}
          >
            Approve this revision
          </button>
        )}
        {canChange && (
          <button
            type="button"
            onClick={() => {
              dialog.value = 'changes';
            }}
          >
            Request changes
          </button>
        )}
      </div>
      {dialog.value === 'approve' && (
        <ApproveDialog live={live} shown={{ revision_id, content_hash }} latest={plan} onClose={close} />
      )}
      {dialog.value === 'changes' && (
        <ReasonDialog
          title="Request changes"
          explanation="The contract goes back to its author. An approval falls, and with it the manifest and every authorization."
          confirm="Send it back"
          onConfirm={(reason) => live.act('request-changes', { reason })}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Shows caveats of approvals that are not closed yet, each with its answer. They never prevent the approval. */
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
            <code>{finding_id}</code> {roleName(raised_by)}: <SafeText text={text ?? ''} />{' '}
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

interface ApproveDialogProps {
  readonly live: LiveSession;
  /** The revision that was shown when the dialog was opened. */
  readonly shown: { readonly revision_id: string; readonly content_hash: string };
  readonly latest: Plan;
  readonly onClose: () => void;
}

/**
 * Asks for the approval of the revision that was shown when the dialog opened. If a newer revision arrives meanwhile, it is not
 * approved.
 */
function ApproveDialog({ live, shown, latest, onClose }: ApproveDialogProps) {
  const opened = useSignal(shown);
  const hasRead = useSignal(false);
  const action = useAction();
  const { revision_id, content_hash } = opened.value;
  const isStale = latest.content_hash !== content_hash || latest.revision_id !== revision_id;
  const approve = async (): Promise<void> => {
    if (await action.run(() => live.act('approve-contract', opened.value))) onClose();
  };
  return (
    <Dialog title={`Approve ${revision_id}`} onClose={onClose}>
      <div class="stack">
        <p>
          You approve exactly the bytes with this hash. They are frozen into a manifest; each agent gets its handoff
          from it.
        </p>
        <p class="full-hash">
          <code>{content_hash}</code>
        </p>
        {isStale && (
          <div class="failure" role="alert">
            <strong>{latest.revision_id} came in meanwhile. Nothing was approved.</strong>
            <p>Close this, read {latest.revision_id}, and decide on that one.</p>
          </div>
        )}
        <Tick
          checked={hasRead.value}
          onChange={(checked) => {
            hasRead.value = checked;
          }}
        >
          I have read {revision_id}.
        </Tick>
        <Failure error={action.error} />
        <div class="buttons">
          <button
            type="button"
            class="primary"
            disabled={isStale || !hasRead.value || action.isBusy}
            onClick={() => void approve()}
          >
            Approve {revision_id}
          </button>
          <button type="button" onClick={onClose}>
            Not now
          </button>
        </div>
      </div>
    </Dialog>
  );
}
