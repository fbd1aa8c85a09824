import { useState } from 'preact/hooks';
import { draftAt, sendDraft, textDraft } from '../../api/drafts.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { ArmedButton } from '../../ui/controls/armed-button.tsx';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { DialogFoot } from '../../ui/controls/dialog.tsx';
import { bound, Field, Tick } from '../../ui/controls/field.tsx';
import { useAction, useSeen } from '../../ui/requests/use-action.ts';
import { type Authorized, stepName } from './steps.ts';

export interface AuthorizeFormProps extends SessionProps {
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
