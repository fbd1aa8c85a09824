import { namedText } from '../../../../src/text/agent.ts';
import { otherAgent } from '../../../../src/text/record-words.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { Board } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { closeSheet } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { DialogButton } from '../../ui/controls/buttons.tsx';
import { IdLink, Link, LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge, Note, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { toScenario } from '../id-links.ts';
import { FoldedDefectContext, ReassignDialog, WaiveDialog } from './defect-context.tsx';

/** What the panels of the tab get. */
export interface BoardProps extends SessionProps {
  readonly board: Board;
}

type Defect = Board['defects'][number];

const TONES = { OPEN: 'bad', FIXED: 'warn', CLOSED: 'good', WAIVED: 'plain', SUPERSEDED: 'plain' } as const;

/** The defects. An open defect is shown with what the owner needs to judge it. */
export function DefectsPanel({ live, view, board }: BoardProps) {
  if (board.defects.length === 0) return null;
  return (
    <Card head="defects-head" title="Defects">
      <ul class="scenarios quotes">
        {board.defects.map((defect) => (
          <DefectItem key={defect.defect_id} live={live} view={view} defect={defect} />
        ))}
      </ul>
    </Card>
  );
}

interface DefectItemProps extends SessionProps {
  readonly defect: Defect;
  /** Whether what was said about the defect is unfolded. Default: only for an open defect. */
  readonly isUnfolded?: boolean;
}

/**
 * A defect with its assignee, its fix, the reason if the owner has waived it, what was said about it, and the buttons
 * that settle it.
 */
export function DefectItem({ live, view, defect, isUnfolded = defect.status === 'OPEN' }: DefectItemProps) {
  const { defect_id, scenario_id, attempt, status, assigned_to, fix, waiver_reason, refusal, opened_at } = defect;
  const dispute = view.waits.find(({ kind, record }) => kind === 'DISPUTE' && record.id === defect_id);
  const canAct = view.state.status !== 'ENDED' && (status === 'OPEN' || status === 'FIXED');
  const other = otherAgent(assigned_to);
  return (
    <li>
      <p>
        <IdLink id={defect_id} /> <Badge tone={TONES[status]}>{status}</Badge>{' '}
        <Link to={toScenario(live.sessionId, scenario_id)} onFollow={closeSheet}>
          {visible(scenario_id)}
        </Link>{' '}
        attempt {attempt}, assigned to <Role of={assigned_to} /> <When at={opened_at} />
      </p>
      {refusal && (
        <p>
          The owner refused the {refusal.stage}: <LinkedText text={refusal.reason} />
        </p>
      )}
      {dispute && (
        <p>
          <Badge tone="warn">disputed</Badge> by <Role of={assigned_to} />.{' '}
          <LinkedText text={namedText(dispute.text, roleName)} />
        </p>
      )}
      {fix && (
        <p>
          Fixed on <code>{fix.commit.slice(0, 12)}</code>: <SafeText text={fix.note} />
        </p>
      )}
      <Note label="Waived by the owner:" text={waiver_reason} />
      <FoldedDefectContext live={live} view={view} defectId={defect_id} isUnfolded={isUnfolded} />
      <div class="buttons">
        <DialogButton label={`Assign it to ${roleName(other)}…`} isOffered={canAct && status === 'OPEN'}>
          {(onClose) => <ReassignDialog {...{ live, view, defect, onClose }} />}
        </DialogButton>
        <DialogButton label={`Waive ${defect_id}…`} isOffered={canAct}>
          {(onClose) => <WaiveDialog {...{ live, view, defect, onClose }} />}
        </DialogButton>
      </div>
    </li>
  );
}
