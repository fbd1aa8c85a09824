import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { OwnerWait } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { goToElement, useFragment } from '../../ui/controls/browser.ts';
import { AuthorizeForm } from '../brief/authorize.tsx';
import { Brief } from '../brief/brief.tsx';
import type { Stage } from '../brief/steps.ts';
import { ApproveForm } from '../contract/approve-form.tsx';

interface DecisionProps extends SessionProps {
  readonly wait: OwnerWait;
  readonly stage: Stage;
  /** The other buttons of the task. */
  readonly children: ComponentChildren;
}

/** The form of a decision with its brief beside it, in a narrow window below it. */
export function Decision({ live, view, wait: { payload }, stage, children }: DecisionProps) {
  const opened = useSignal(0);
  const again = (): void => {
    opened.value += 1;
  };
  useFragment(true, new RegExp(`^authorize-${stage}$`), goToElement);
  const shown = { revision_id: String(payload.revision_id), content_hash: String(payload.content_hash) };
  const form = { live, view, isCard: true, onClose: again };
  return (
    <div class="decision" id={`authorize-${stage}`}>
      <div class="stack">
        {stage === 'approval' ? (
          <ApproveForm key={`${shown.content_hash} ${opened.value}`} {...form} shown={shown} latest={shown} />
        ) : (
          <AuthorizeForm key={opened.value} {...form} stage={stage} isReady />
        )}
        {children}
      </div>
      <section aria-label="What the decision rests on">
        <Brief live={live} view={view} stage={stage} />
      </section>
    </div>
  );
}
