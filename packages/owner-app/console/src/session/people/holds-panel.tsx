import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Badge, Role, SafeText, When } from '../../ui/shown.tsx';
import { ReleaseHoldDialog } from '../release-hold-dialog.tsx';

interface HoldsPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

type Hold = SessionView['holds'][number];

/** The moderator's holds. For a hold that has ended, the panel says how. */
export function HoldsPanel({ live, view }: HoldsPanelProps) {
  const released = useSignal<Hold | null>(null);
  if (view.holds.length === 0) return null;
  return (
    <section class="card" aria-labelledby="holds-head">
      <h2 id="holds-head">Holds</h2>
      <ul class="access">
        {view.holds.toReversed().map((hold) => (
          <HoldItem
            key={hold.hold_id}
            hold={hold}
            canRelease={view.state.status !== 'ENDED'}
            onRelease={() => {
              released.value = hold;
            }}
          />
        ))}
      </ul>
      {released.value && (
        <ReleaseHoldDialog
          live={live}
          hold={released.value}
          onClose={() => {
            released.value = null;
          }}
        />
      )}
    </section>
  );
}

const ENDINGS = {
  MODERATOR: 'the moderator released it',
  OWNER: 'you released it',
  FINDING_CLOSED: 'its finding was closed',
} as const;

interface HoldItemProps {
  readonly hold: Hold;
  readonly canRelease: boolean;
  readonly onRelease: () => void;
}

function HoldItem({ hold, canRelease, onRelease }: HoldItemProps) {
  const { hold_id, finding_id, status, reason, opened_by, opened_at, released } = hold;
  return (
    <li>
      <p>
        <strong>{hold_id}</strong> on {finding_id} <Badge tone={status === 'ACTIVE' ? 'bad' : 'plain'}>{status}</Badge>{' '}
        <Role of={opened_by} /> <When at={opened_at} />
      </p>
      <p>
        <SafeText text={reason} />
      </p>
      {released && (
        <p class="muted">
          {ENDINGS[released.cause]} <When at={released.released_at} />
          {released.reason !== null && (
            <>
              {': '}
              <SafeText text={released.reason} />
            </>
          )}
        </p>
      )}
      {!released && canRelease && (
        <div class="buttons">
          <button type="button" onClick={onRelease}>
            Release hold {hold_id}
          </button>
        </div>
      )}
    </li>
  );
}
