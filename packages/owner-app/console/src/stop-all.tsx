import { useSignal } from '@preact/signals';
import { ReasonDialog } from './session/reason-dialog.tsx';
import { isComplete, sessions, useSessions } from './state/overview.ts';
import { failedCount, lastStop, leavePaused, stopAll, undoStop } from './state/stopping.ts';
import { WriteButton } from './ui/controls/write-button.tsx';
import { Failure } from './ui/requests/failure.tsx';
import { useAction } from './ui/requests/use-action.ts';

/**
 * The button that pauses all active sessions (*Stop all*). After a *Stop all*, a button that resumes these sessions and
 * a button that leaves them paused are shown too.
 */
export function StopAll() {
  return (
    <>
      <LastStop />
      <StopButton />
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
        {`${stop.count} ${stop.count === 1 ? 'session' : 'sessions'} paused.`}
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

function StopButton() {
  const isAsking = useSignal(false);
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

function StopDialog({ onClose }: { readonly onClose: () => void }) {
  useSessions();
  const running = (sessions.value ?? []).filter(({ status }) => status === 'ACTIVE').length;
  return (
    <ReasonDialog
      sessionId="all"
      title="Stop everything"
      explanation={`Every session that runs is paused${isComplete.value ? ` (running now: ${running})` : ''}. The agents can then only read, acknowledge and answer. They can read your reason. To resume exactly these sessions, press “Undo: resume them” in the bar above each page.`}
      confirm="Stop everything"
      isDangerous
      fallback="Stopped by the owner."
      onConfirm={stopAll}
      onClose={onClose}
    />
  );
}
