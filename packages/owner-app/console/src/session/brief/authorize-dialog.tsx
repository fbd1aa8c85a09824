import { useState } from 'preact/hooks';
import { draftAt, keepDraft, sendDraft } from '../../api/drafts.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { ArmedButton } from '../../ui/controls/armed-button.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { Field, Tick } from '../../ui/controls/field.tsx';
import { useAction, useSeen } from '../../ui/requests/use-action.ts';
import { Brief } from './brief.tsx';
import type { Stage } from './what-follows.ts';

interface AuthorizeDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly stage: Exclude<Stage, 'approval'>;
  /** Whether the authorization still waits for the owner. */
  readonly isReady: boolean;
  readonly onClose: () => void;
}

/** The dialog that shows the brief of an authorization and asks the owner to confirm it. */
export function AuthorizeDialog({ live, view, stage, isReady, onClose }: AuthorizeDialogProps) {
  const action = useAction();
  const seen = useSeen(live);
  const [waits, setWaits] = useState(false);
  const place = { sessionId: live.sessionId, record: stage, form: 'note' };
  const authorize = async (): Promise<void> => {
    const note = draftAt(place).trim();
    const payload = { stage, ...seen, ...(note !== '' && { note }), ...(waits && { group_ready: true }) };
    if (await action.run(() => sendDraft(place, () => live.act('authorize', payload)))) onClose();
  };
  const step = stage === 'release' ? 'Release' : `Authorize the ${stage}`;
  return (
    <Dialog title={step} of={view.title} onClose={onClose} isRead>
      <div class="stack">
        <Brief live={live} view={view} stage={stage} />
        <Field
          label="Note (optional)"
          hint="Both agents can read the note in the transcript."
          rows={2}
          value={draftAt(place)}
          onInput={(value) => keepDraft(place, value)}
        />
        {(stage === 'deployment' || stage === 'release') && view.group !== undefined && (
          <Tick checked={waits} onChange={setWaits}>
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
          onLeave={onClose}
        >
          <ArmedButton class="primary" disabled={!isReady || action.isBusy} onConfirm={() => void authorize()}>
            {`Yes, ${step.toLowerCase()}`}
          </ArmedButton>
        </DialogFoot>
      </div>
    </Dialog>
  );
}
