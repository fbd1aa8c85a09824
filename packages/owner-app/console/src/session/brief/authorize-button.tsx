import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { hasRole } from '../../state/me.ts';
import { useFragment } from '../../ui/controls/go-to-element.ts';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { AuthorizeDialog } from './authorize-dialog.tsx';
import { type Authorized, stepName, WAITS } from './steps.ts';

interface AuthorizeButtonProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly stage: Authorized;
}

/**
 * The button that opens the dialog to authorize a stage. Enabled only while this authorization waits for the owner. If
 * the address of the page ends with `#authorize-` and the stage, the page scrolls to the button and focuses it.
 */
export function AuthorizeButton({ live, view, stage }: AuthorizeButtonProps) {
  const isOpen = useSignal(false);
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
      <WriteButton
        needs="approver"
        class="primary"
        disabled={!isReady}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {`${stepName(stage)}…`}
      </WriteButton>
      {!hasRole('approver') && <p class="muted">To authorize, you need the role approver.</p>}
      {isOpen.value && (
        <AuthorizeDialog
          live={live}
          view={view}
          stage={stage}
          isReady={isReady}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}
