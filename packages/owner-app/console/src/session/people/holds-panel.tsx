import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { FindingWords } from '../held-finding.tsx';
import { ReleaseHoldDialog } from '../release-hold-dialog.tsx';

interface HoldsPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

type Hold = SessionView['holds'][number];

/** The moderator's holds: active holds, and ended holds with the way in which they ended. */
export function HoldsPanel({ live, view }: HoldsPanelProps) {
  if (view.holds.length === 0) return null;
  return (
    <section class="card" aria-labelledby="holds-head">
      <h2 id="holds-head">Holds</h2>
      <ul class="access">
        {view.holds.toReversed().map((hold) => (
          <HoldItem key={hold.hold_id} live={live} view={view} hold={hold} />
        ))}
      </ul>
    </section>
  );
}

const ENDINGS = {
  MODERATOR: 'the moderator released the hold',
  OWNER: 'the owner released the hold',
  FINDING_CLOSED: 'the held finding was closed',
} as const;

interface HoldItemProps extends HoldsPanelProps {
  readonly hold: Hold;
}

export function HoldItem({ live, view, hold }: HoldItemProps) {
  const isReleasing = useSignal(false);
  const { hold_id, finding_id, status, reason, opened_by, opened_at, released } = hold;
  return (
    <li>
      <p>
        <strong>{hold_id}</strong> on <IdLink id={finding_id} />{' '}
        <Badge tone={status === 'ACTIVE' ? 'bad' : 'plain'}>{status}</Badge> <Role of={opened_by} />{' '}
        <When at={opened_at} />
      </p>
      <p>
        <SafeText text={reason} />
      </p>
      {status === 'ACTIVE' && (
        <>
          <FindingWords sessionId={live.sessionId} version={live.version.value} findingId={finding_id} />
          <p class="muted">The hold stops the approval of the contract and every authorization.</p>
        </>
      )}
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
      {!released && view.state.status !== 'ENDED' && (
        <div class="buttons">
          <WriteButton
            needs="approver"
            onClick={() => {
              isReleasing.value = true;
            }}
          >
            Release hold {hold_id}
          </WriteButton>
        </div>
      )}
      {isReleasing.value && (
        <ReleaseHoldDialog
          live={live}
          holdId={hold_id}
          findingId={finding_id}
          onClose={() => {
            isReleasing.value = false;
          }}
        />
      )}
    </li>
  );
}
