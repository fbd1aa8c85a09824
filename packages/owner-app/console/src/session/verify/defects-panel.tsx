import { useSignal } from '@preact/signals';
import { namedText } from '../../../../src/text/agent.ts';
import { otherAgent } from '../../../../src/text/defect-choices.ts';
import type { Board } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { ReassignDialog, WaiveDialog } from './defect-dialogs.tsx';

interface DefectsPanelProps {
  readonly live: LiveSession;
  readonly board: Board;
  readonly isOpen: boolean;
}

type Defect = Board['defects'][number];

const TONES = { OPEN: 'bad', FIXED: 'warn', CLOSED: 'good', WAIVED: 'plain', SUPERSEDED: 'plain' } as const;

/** The defects, each with its assignee, what the assignee says against it, its fix, and the reason if the owner has waived it. */
export function DefectsPanel({ live, board, isOpen }: DefectsPanelProps) {
  if (board.defects.length === 0) return null;
  return (
    <section class="card" aria-labelledby="defects-head">
      <h2 id="defects-head">Defects</h2>
      <ul class="scenarios">
        {board.defects.map((defect) => (
          <DefectItem key={defect.defect_id} live={live} defect={defect} isOpen={isOpen} />
        ))}
      </ul>
    </section>
  );
}

interface DefectItemProps {
  readonly live: LiveSession;
  readonly defect: Defect;
  /** Whether the session has not ended. */
  readonly isOpen: boolean;
}

export function DefectItem({ live, defect, isOpen }: DefectItemProps) {
  const opened = useSignal<'reassign' | 'waive' | null>(null);
  const close = (): void => {
    opened.value = null;
  };
  const { defect_id, scenario_id, attempt, status, assigned_to, fix, waiver_reason, opened_at } = defect;
  const dispute = live.view.value?.waits.find(({ kind, record }) => kind === 'DISPUTE' && record.id === defect_id);
  const canAct = isOpen && (status === 'OPEN' || status === 'FIXED');
  const other = otherAgent(assigned_to);
  return (
    <li>
      <p>
        <strong>{defect_id}</strong> <Badge tone={TONES[status]}>{status}</Badge> <SafeText text={scenario_id} />{' '}
        attempt {attempt}, assigned to <Role of={assigned_to} /> <When at={opened_at} />
      </p>
      {dispute && (
        <div>
          <p>
            <Badge tone="warn">disputed</Badge> by <Role of={assigned_to} />.{' '}
            <LinkedText text={namedText(dispute.text, roleName)} />
          </p>
          {dispute.said && (
            <p class="reply">
              <SafeText text={dispute.said} />
            </p>
          )}
        </div>
      )}
      {fix && (
        <p>
          Fixed on <code>{fix.commit.slice(0, 12)}</code>: <SafeText text={fix.note} />
        </p>
      )}
      {waiver_reason !== null && (
        <p class="muted">
          Waived by the owner: <SafeText text={waiver_reason} />
        </p>
      )}
      {canAct && (
        <div class="buttons">
          {status === 'OPEN' && (
            <WriteButton
              onClick={() => {
                opened.value = 'reassign';
              }}
            >
              Assign it to {roleName(other)}…
            </WriteButton>
          )}
          <WriteButton
            onClick={() => {
              opened.value = 'waive';
            }}
          >
            Waive {defect_id}…
          </WriteButton>
        </div>
      )}
      {opened.value === 'reassign' && <ReassignDialog live={live} defect={defect} onClose={close} />}
      {opened.value === 'waive' && <WaiveDialog live={live} defect={defect} onClose={close} />}
    </li>
  );
}
