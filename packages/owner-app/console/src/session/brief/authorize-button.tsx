import { useRef } from 'preact/hooks';
import type { SessionProps } from '../../state/live-session.ts';
import { hasRole } from '../../state/me.ts';
import { DialogButton } from '../../ui/controls/dialog-button.tsx';
import { useFragment } from '../../ui/controls/go-to-element.ts';
import { AuthorizeDialog } from './authorize-dialog.tsx';
import { type Authorized, stepName, WAITS } from './steps.ts';

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
