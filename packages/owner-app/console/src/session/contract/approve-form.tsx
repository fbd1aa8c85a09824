import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Plan } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { submitting } from '../../state/setting.ts';
import { WriteButton } from '../../ui/controls/buttons.tsx';
import { DialogFoot } from '../../ui/controls/dialog.tsx';
import { bound, Field, Tick } from '../../ui/controls/form.tsx';
import { useAction, useSeen } from '../../ui/requests.tsx';
import { hasFewSteps } from '../brief/steps.ts';

/** Number of characters of the hash that the owner must type. */
const TYPED_CHARS = 8;

export interface ApproveFormProps extends SessionProps {
  /** The revision that the page showed when the form was opened. */
  readonly shown: { readonly revision_id: string; readonly content_hash: string };
  readonly latest: Pick<Plan, 'revision_id' | 'content_hash'>;
  /** Whether the form is on the card of the decision, which stays open, instead of in a dialog. */
  readonly isCard?: boolean;
  /** Closes the dialog. On the card, shows a new form: the owner has looked again. */
  readonly onClose: () => void;
  /** The brief, if the form contains it. */
  readonly children?: ComponentChildren;
}

/**
 * The form to approve a revision. It asks for the beginning of the hash. Only the revision that was shown when the form
 * was opened can be approved. If a newer revision arrives meanwhile, nothing can be approved in this form.
 */
export function ApproveForm({ live, view, shown, latest, isCard = false, onClose, children }: ApproveFormProps) {
  const opened = useSignal(shown);
  const seen = useSeen(live);
  const typed = useSignal('');
  const builds = useSignal(false);
  const action = useAction();
  const { revision_id, content_hash } = opened.value;
  const isStale = latest.content_hash !== content_hash || latest.revision_id !== revision_id;
  const isTyped = beginsWith(content_hash, typed.value);
  const approve = async (): Promise<void> => {
    if (isStale || !isTyped) return;
    const build = builds.value && ({ authorize_build: true } as const);
    if (await action.run(() => live.act('approveContract', { ...opened.value, ...seen, ...build }))) onClose();
  };
  return (
    <form class="stack" onSubmit={submitting(approve)}>
      {children}
      <p>You approve exactly the bytes with this hash:</p>
      <p class="full-hash">
        <code>{content_hash}</code>
      </p>
      <Field
        label={`The first ${TYPED_CHARS} characters of the hash`}
        hint="Type them, or paste the whole hash."
        {...bound(typed)}
        error={
          typed.value.trim().length >= TYPED_CHARS && !isTyped
            ? `This is not the beginning of the hash of ${revision_id}.`
            : undefined
        }
      />
      {hasFewSteps(view) && <Tick {...bound(builds)}>Also authorize the build</Tick>}
      <DialogFoot
        error={action.error}
        obstacle={
          isStale ? (
            <div class="failure" role="alert">
              <strong>{latest.revision_id} was submitted meanwhile. Nothing was approved.</strong>
              <p>Close this dialog, read {latest.revision_id}, and decide whether to approve that revision.</p>
            </div>
          ) : (
            !isTyped &&
            !isCard && (
              <p class="muted">Type the first {TYPED_CHARS} characters of the hash, at the end of this dialog.</p>
            )
          )
        }
        leave={isCard ? null : 'Not now'}
        onLeave={onClose}
      >
        <WriteButton type="submit" needs="approver" class="primary" disabled={isStale || !isTyped || action.isBusy}>
          Approve {revision_id}
        </WriteButton>
      </DialogFoot>
    </form>
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
