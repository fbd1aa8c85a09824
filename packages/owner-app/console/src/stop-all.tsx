import { useSignal } from '@preact/signals';
import { inbox } from './state/inbox.ts';
import { isComplete, sessions, useSessions } from './state/overview.ts';
import { failedCount, lastStop, leavePaused, undoStop } from './state/stopping.ts';
import { WriteButton } from './ui/controls/write-button.tsx';
import { Failure } from './ui/requests/failure.tsx';
import { lazy } from './ui/requests/lazy.tsx';
import { useAction } from './ui/requests/use-action.ts';

const StopDialog = lazy(async () => (await import('./stop-dialog.tsx')).StopDialog);

/**
 * The button that pauses all active sessions (*Stop all*). After a *Stop all*, a button that resumes these sessions and
 * a button that leaves them paused are shown too. *Stop all* is not shown while no session runs.
 */
export function StopAll() {
  const { open, absent } = inbox.value;
  const isRunningInInbox = [...open, ...absent].some(({ status }) => status === 'ACTIVE');
  const isIdle = isComplete.value && !sessions.value?.some(({ status }) => status === 'ACTIVE');
  return (
    <>
      <LastStop />
      {!isRunningInInbox && <ReadSessions />}
      <StopButton isOffered={isRunningInInbox || !isIdle} />
    </>
  );
}

function LastStop() {
  const action = useAction();
  const stop = lastStop.value;
  if (!stop) return null;
  return (
    <div class="stopped" role="status">
      <span>
        {`${stop.count} paused.`}
        {failedCount.value > 0 && (
          <strong>{` ${failedCount.value} could not be paused. The table of sessions shows their status.`}</strong>
        )}
      </span>
      <WriteButton class="primary" disabled={action.isBusy} onClick={() => void action.run(() => undoStop(stop))}>
        Undo: resume them
      </WriteButton>
      <button type="button" class="quiet" onClick={() => leavePaused(stop)}>
        Leave them paused
      </button>
      <Failure error={action.error} />
    </div>
  );
}

/** Keeps the list of sessions up to date. It shows whether a session runs if the inbox has no running session. */
function ReadSessions() {
  useSessions();
  return null;
}

function StopButton({ isOffered }: { readonly isOffered: boolean }) {
  const isAsking = useSignal(false);
  if (!isOffered && !isAsking.value) return null;
  return (
    <>
      <WriteButton
        class="danger"
        onClick={() => {
          isAsking.value = true;
        }}
      >
        Stop all…
      </WriteButton>
      {isAsking.value && (
        <StopDialog
          onClose={() => {
            isAsking.value = false;
          }}
        />
      )}
    </>
  );
}
