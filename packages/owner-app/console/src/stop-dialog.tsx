import { ReasonDialog } from './session/operation-dialog.tsx';
import { isComplete, sessions, useSessions } from './state/sessions.ts';
import { stopAll } from './state/stopping.ts';

export function StopDialog({ onClose }: { readonly onClose: () => void }) {
  useSessions();
  const running = (sessions.value ?? []).filter(({ status }) => status === 'ACTIVE').length;
  return (
    <ReasonDialog
      title="Stop everything"
      explanation={`Every session that runs is paused${isComplete.value ? ` (running now: ${running})` : ''}. The agents can then only read, acknowledge and answer. They can read your reason. To resume exactly these sessions, press “Undo: resume them” in the bar above each page.`}
      confirm="Stop everything"
      isDangerous
      isOneLine
      fallback="Stopped by the owner."
      onConfirm={stopAll}
      onClose={onClose}
    />
  );
}
