import { failedCount, leavePaused, type Stop, undoStop } from './state/stopping.ts';
import { WriteButton } from './ui/controls/write-button.tsx';
import { Failure } from './ui/requests/failure.tsx';
import { useAction } from './ui/requests/use-action.ts';

/** What the last *Stop all* has paused, with the buttons that resume these sessions or leave them paused. */
export function LastStop({ stop }: { readonly stop: Stop }) {
  const action = useAction();
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
