import { useSignal } from '@preact/signals';
import type { Plan, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { useAction, useSeen } from '../../ui/requests/use-action.ts';
import { Brief } from '../brief/brief.tsx';

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
  const action = useAction();
  const { revision_id, content_hash } = opened.value;
  const isStale = latest.content_hash !== content_hash || latest.revision_id !== revision_id;
  const isTyped = beginsWith(content_hash, typed.value);
  const approve = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isStale || !isTyped) return;
    if (await action.run(() => live.act('approveContract', { ...opened.value, ...seen }))) onClose();
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
