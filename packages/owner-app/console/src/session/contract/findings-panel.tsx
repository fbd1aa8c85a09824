import { useSignal } from '@preact/signals';
import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Badge, Role, SafeText, When } from '../../ui/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { RecordText } from '../record-text.tsx';
import { ReleaseHoldDialog } from '../release-hold-dialog.tsx';

interface FindingsPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

type Finding = SessionView['findings'][number];
type Hold = SessionView['holds'][number];

const isOpen = ({ status }: Finding): boolean => status === 'OPEN' || status === 'RESPONDED';

/** The findings of reviewer and moderator with their holds. Open findings are shown first. */
export function FindingsPanel({ live, view }: FindingsPanelProps) {
  const overridden = useSignal<Finding | null>(null);
  const released = useSignal<Hold | null>(null);
  const { findings, holds } = view;
  if (findings.length === 0) return null;
  const sorted = [...findings.filter(isOpen), ...findings.filter((finding) => !isOpen(finding))];
  return (
    <section class="card" aria-labelledby="findings-head">
      <h2 id="findings-head">
        Findings ({findings.filter(isOpen).length} open of {findings.length})
      </h2>
      <ul class="findings">
        {sorted.map((finding) => (
          <FindingItem
            key={finding.finding_id}
            view={view}
            finding={finding}
            hold={holds.find(({ finding_id, status }) => finding_id === finding.finding_id && status === 'ACTIVE')}
            canAct={view.state.status !== 'ENDED'}
            onOverride={() => {
              overridden.value = finding;
            }}
            onRelease={(hold) => {
              released.value = hold;
            }}
          />
        ))}
      </ul>
      {overridden.value && (
        <ReasonDialog
          title={`Override ${overridden.value.finding_id}`}
          explanation="The finding is closed against the will of who raised it, and a hold on it ends. Everybody reads your reason."
          confirm="Override it"
          onConfirm={(reason) => live.act('override-finding', { finding_id: overridden.value?.finding_id, reason })}
          onClose={() => {
            overridden.value = null;
          }}
        />
      )}
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

interface FindingItemProps {
  readonly view: SessionView;
  readonly finding: Finding;
  readonly hold: Hold | undefined;
  /** Whether the owner can act on the finding: false once the session has ended. */
  readonly canAct: boolean;
  readonly onOverride: () => void;
  readonly onRelease: (hold: Hold) => void;
}

function FindingItem({ view, finding, hold, canAct, onOverride, onRelease }: FindingItemProps) {
  const { finding_id, status, raised_by, text, kind, category, severity, blocking, target, response, raised_at } =
    finding;
  return (
    <li class={isOpen(finding) ? undefined : 'outdated'}>
      <p>
        <strong>{finding_id}</strong> <Role of={raised_by} />{' '}
        <Badge tone={isOpen(finding) ? 'warn' : 'plain'}>{status}</Badge>{' '}
        {blocking && <Badge tone={isOpen(finding) ? 'bad' : 'plain'}>blocking</Badge>}{' '}
        <span class="muted">{[kind ?? category, severity].filter(Boolean).join(', ')}</span>{' '}
        {finding.revision_id && <span class="muted">on {finding.revision_id}</span>} <When at={raised_at} />
      </p>
      <RecordText view={view} type="finding" id={finding_id} text={text} />
      {target && (
        <p class="muted">
          at <code>{visible(target)}</code>
        </p>
      )}
      {finding.resolution_criteria && (
        <p class="muted">
          Resolved when: <SafeText text={finding.resolution_criteria} />
        </p>
      )}
      {[finding.other_response, response].map(
        (given) =>
          given && (
            <p key={given.by}>
              <strong>{given.decision}</strong> {given.response && <SafeText text={given.response} />}{' '}
              {given.fixed_in && <span class="muted">fixed in {given.fixed_in}</span>}
            </p>
          ),
      )}
      {finding.awaiting && <p class="muted">Waits for the answer of {finding.awaiting.join(' and ')}.</p>}
      {finding.override_reason !== null && (
        <p class="muted">
          You overrode it: <SafeText text={finding.override_reason} />
        </p>
      )}
      {hold && (
        <p>
          <Badge tone="bad">{`hold ${hold.hold_id}`}</Badge> <SafeText text={hold.reason} />
        </p>
      )}
      {canAct && isOpen(finding) && (
        <div class="buttons">
          {hold && (
            <button type="button" onClick={() => onRelease(hold)}>
              Release hold {hold.hold_id}
            </button>
          )}
          <button type="button" onClick={onOverride}>
            Override {finding_id}
          </button>
        </div>
      )}
    </li>
  );
}
