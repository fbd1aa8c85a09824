import type { ComponentChildren } from 'preact';
import { membersOf, recordsIn, textIn } from '../../../../src/transcript/message.ts';
import type { ApiError } from '../../api/api-error.ts';
import { Failure } from '../requests/failure.tsx';
import { SafeText } from '../text/shown.tsx';

interface DialogFootProps {
  /** The error of the last call of the dialog. */
  readonly error: ApiError | null;
  /** Why the button that sends is disabled. */
  readonly obstacle?: ComponentChildren;
  /** Label of the button that leaves the dialog. */
  readonly leave?: string;
  readonly onLeave: () => void;
  /** The button that sends what was entered. */
  readonly children: ComponentChildren;
}

/** The buttons of a dialog, below the error of the last call. They stay visible while the dialog scrolls. */
export const DialogFoot = ({ error, obstacle, leave = 'Not now', onLeave, children }: DialogFootProps) => (
  <footer>
    {obstacle}
    {isChanged(error) ? <Changed error={error} /> : <Failure error={error} />}
    <div class="buttons">
      {children}
      <button type="button" onClick={onLeave}>
        {isChanged(error) ? 'Look again' : leave}
      </button>
    </div>
  </footer>
);

const isChanged = (error: ApiError | null): error is ApiError => error?.code === 'GROUNDS_CHANGED';

/** What has changed since the dialog opened. Nothing was decided. */
function Changed({ error: { body } }: { readonly error: ApiError }) {
  return (
    <div class="failure" role="alert">
      <strong>Nothing was decided: this changed after you had opened the dialog.</strong>
      <ul>
        {recordsIn(body, 'changed').map((one) => {
          const { type, id } = membersOf(one.record);
          return (
            <li key={`${type} ${id}`}>
              {`${type} ${id}: `}
              <SafeText text={textIn(one, 'now')} />
            </li>
          );
        })}
      </ul>
      <p>Close the dialog, look at it, and decide again. What you typed is kept.</p>
    </div>
  );
}
