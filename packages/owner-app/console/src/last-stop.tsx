import { failedCount, leavePaused, type Stop, undoStop } from './state/stopping.ts';
import { WriteButton } from './ui/controls/buttons.tsx';
import { Failure, useAction } from './ui/requests.tsx';

/** What the last *Stop all* has paused, with the buttons that resume these sessions or leave them paused. */
export function LastStop({ stop }: { readonly stop: Stop }) {
  const action = useAction();
  return (
    <div class="row stopped" role="status">
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
