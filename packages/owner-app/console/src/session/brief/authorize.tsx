import { useRef, useState } from 'preact/hooks';
import { hasRole } from '../../api/client.ts';
import { draftAt, sendDraft, textDraft } from '../../api/drafts.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { useFragment } from '../../ui/controls/browser.ts';
import { ArmedButton, ConfirmButton, DialogButton } from '../../ui/controls/buttons.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { bound, Field, Tick } from '../../ui/controls/form.tsx';
import { useAction, useSeen } from '../../ui/requests.tsx';
import { Brief } from './brief.tsx';
import { type Authorized, stepName, WAITS } from './steps.ts';

interface AuthorizeFormProps extends SessionProps {
  readonly stage: Authorized;
  /** Whether the authorization still waits for the owner. */
  readonly isReady: boolean;
  /** Whether the form is on the card of the decision, which stays open, instead of in a dialog. */
  readonly isCard?: boolean;
  /** Closes the dialog. On the card, shows a new form: the owner has looked again. */
  readonly onClose: () => void;
}

/** The note and the button of an authorization. On the card, which was open before, the button asks first. */
export function AuthorizeForm({ live, view, stage, isReady, isCard = false, onClose }: AuthorizeFormProps) {
  const action = useAction();
  const seen = useSeen(live);
  const [waits, setWaits] = useState(false);
  const place = { sessionId: live.sessionId, record: stage, form: 'note' };
  const authorize = async (): Promise<void> => {
    const note = draftAt(place).trim();
    const payload = { stage, ...seen, ...(note !== '' && { note }), ...(waits && { group_ready: true }) };
    if (await action.run(() => sendDraft(place, () => live.act('authorize', payload)))) onClose();
  };
  const step = stepName(stage);
  return (
    <>
      <Field
        label="Note (optional)"
        hint="Both agents can read the note in the transcript."
        rows={2}
        {...bound(textDraft(place))}
      />
      {(stage === 'deployment' || stage === 'release') && view.group !== undefined && (
        <Tick value={waits} onChange={setWaits}>
          Only if each other session of the group is certified now, or ended with an authorized deployment
        </Tick>
      )}
      <DialogFoot
        error={action.error}
        obstacle={
          !isReady &&
          !action.isBusy && (
            <p class="failure" role="alert">
              {`The session has changed meanwhile, so the ${stage} can no longer be authorized. Close this dialog and read what blocks the authorization.`}
            </p>
          )
        }
        leave={isCard ? null : 'Not now'}
        onLeave={onClose}
      >
        {isCard ? (
          <ConfirmButton
            label={`${step}…`}
            question={stage === 'release' ? 'Release, which ends the session for good?' : `${step}?`}
            yes={`Yes, ${step.toLowerCase()}`}
            needs="approver"
            isPrimary
            onConfirm={authorize}
          />
        ) : (
          <ArmedButton class="primary" disabled={!isReady || action.isBusy} onConfirm={() => void authorize()}>
            {`Yes, ${step.toLowerCase()}`}
          </ArmedButton>
        )}
      </DialogFoot>
    </>
  );
}

type AuthorizeDialogProps = Omit<AuthorizeFormProps, 'isCard'>;

/** The dialog that shows the brief of an authorization and asks the owner to confirm it. */
export const AuthorizeDialog = ({ live, view, stage, isReady, onClose }: AuthorizeDialogProps) => (
  <Dialog title={stepName(stage)} of={view.title} onClose={onClose} isRead>
    <div class="stack">
      <Brief live={live} view={view} stage={stage} />
      <AuthorizeForm {...{ live, view, stage, isReady, onClose }} />
    </div>
  </Dialog>
);

interface AuthorizeButtonProps extends SessionProps {
  readonly stage: Authorized;
}

/**
 * The button that opens the dialog to authorize a stage. Enabled only while this authorization waits for the owner. If
 * the address of the page ends with `#authorize-` and the stage, the page scrolls to the button and focuses it.
 */
export function AuthorizeButton({ live, view, stage }: AuthorizeButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  const goTo = (): void => {
    // A disabled button cannot have the focus, so the element around it gets the focus instead.
    const goal = place.current?.querySelector<HTMLElement>('button:enabled') ?? place.current;
    goal?.focus({ preventScroll: true });
    goal?.scrollIntoView({ block: 'center' });
  };
  useFragment(true, new RegExp(`^authorize-${stage}$`), goTo);
  const isReady = view.waits.some(({ kind }) => kind === WAITS[stage]);
  return (
    <div class="buttons" id={`authorize-${stage}`} ref={place} tabIndex={-1}>
      <DialogButton label={`${stepName(stage)}…`} needs="approver" class="primary" disabled={!isReady}>
        {(onClose) => <AuthorizeDialog {...{ live, view, stage, isReady, onClose }} />}
      </DialogButton>
      {!hasRole('approver') && <p class="muted">To authorize, you need the role approver.</p>}
    </div>
  );
}
