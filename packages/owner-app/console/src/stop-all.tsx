import { inbox } from './state/inbox.ts';
import { isComplete, sessions, useSessions } from './state/overview.ts';
import { lastStop } from './state/stopping.ts';
import { DialogButton } from './ui/controls/dialog-button.tsx';
import { lazy } from './ui/requests/lazy.tsx';

const LastStop = lazy(async () => (await import('./last-stop.tsx')).LastStop);
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
      {lastStop.value && <LastStop stop={lastStop.value} />}
      {!isRunningInInbox && <ReadSessions />}
      <DialogButton class="danger" label="Stop all…" isOffered={isRunningInInbox || !isIdle}>
        {(onClose) => <StopDialog onClose={onClose} />}
      </DialogButton>
    </>
  );
}

/** Keeps the list of sessions up to date. It shows whether a session runs if the inbox has no running session. */
function ReadSessions() {
  useSessions();
  return null;
}
