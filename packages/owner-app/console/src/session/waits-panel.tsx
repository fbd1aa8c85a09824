import type { OwnerWait, SessionView } from '../api/types.ts';
import { tabFor } from '../pages/wording.ts';
import type { LiveSession } from '../state/live-session.ts';
import { toSession } from '../state/route.ts';
import { Failure } from '../ui/failure.tsx';
import { Link } from '../ui/link.tsx';
import { Badge } from '../ui/shown.tsx';
import { useAction } from '../ui/use-action.ts';

interface WaitsPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

/** The tasks that wait for the owner in this session, each with a button or a link. */
export function WaitsPanel({ live, view }: WaitsPanelProps) {
  if (view.waits.length === 0) return <p class="instruction">{view.state.instruction.text}</p>;
  return (
    <section class="card waits" aria-label="Waits for you">
      <ul>
        {view.waits.map((wait) => (
          <Wait key={wait.wait_id} live={live} wait={wait} />
        ))}
      </ul>
    </section>
  );
}

/** Operations that the owner can call with one click, because they need no further input. */
const AT_ONCE: Readonly<Record<string, { readonly label: string; readonly call: string }>> = {
  start: { label: 'Start', call: 'start' },
  resume: { label: 'Resume', call: 'resume' },
  raiseQuota: { label: 'Raise the quota', call: 'raise-quota' },
};

function Wait({ live, wait }: { readonly live: LiveSession; readonly wait: OwnerWait }) {
  const action = useAction();
  const atOnce = AT_ONCE[wait.operation];
  const tab = tabFor(wait.kind);
  return (
    <li>
      <Badge tone={wait.blocking ? 'warn' : 'plain'}>{wait.blocking ? 'blocks' : 'for you'}</Badge>
      <span>{wait.text}</span>
      {atOnce && (
        <button
          type="button"
          class="primary"
          disabled={action.isBusy}
          onClick={() => void action.run(() => live.act(atOnce.call, wait.payload))}
        >
          {atOnce.label}
        </button>
      )}
      {tab && <Link to={toSession(live.sessionId, tab)}>Go there</Link>}
      <Failure error={action.error} />
    </li>
  );
}
