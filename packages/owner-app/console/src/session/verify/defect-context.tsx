import '../../styles/contract.css';
import '../../styles/verify.css';
import { useSignal } from '@preact/signals';
import { namedText } from '../../../../src/text/agent.ts';
import { readAs } from '../../../../src/text/read-as.ts';
import { COST_OF_FIX, defectChoices, otherAgent } from '../../../../src/text/record-words.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { Board, RecordsAnswer } from '../../api/answers.ts';
import type { SessionDialogProps, SessionProps } from '../../state/live-session.ts';
import { closeSheet } from '../../state/route.ts';
import { Card, Unfolded } from '../../ui/card.tsx';
import { DialogButton } from '../../ui/controls/buttons.tsx';
import { LazyMarkdown, Pending, useRecord } from '../../ui/requests.tsx';
import { IdLink, Link, LinkedText, MessageLink } from '../../ui/text/linked-text.tsx';
import { Badge, Note, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { Answers } from '../contract/findings-panel.tsx';
import { toScenario } from '../id-links.ts';
import { InterventionItem } from '../interventions/panel.tsx';
import { ReasonDialog } from '../operation-dialog.tsx';
import { nameIn } from '../record-text.tsx';
import { Attachments, BothSides, seenIn } from './evidence.tsx';

type Context = NonNullable<RecordsAnswer['context']>;

interface DefectContextProps extends SessionProps {
  readonly defectId: string;
}

interface FoldedProps extends DefectContextProps {
  readonly isUnfolded?: boolean;
}

/** What the owner needs to judge a defect, in a part that can be folded. It is read when it is unfolded. */
function FoldedDefectContext({ isUnfolded = false, ...props }: FoldedProps) {
  return (
    <Unfolded summary={`What was seen and said about ${props.defectId}`} isOpen={isUnfolded}>
      {() => <DefectContext {...props} />}
    </Unfolded>
  );
}

/**
 * What the owner needs to judge a defect: what the contract expects, the evidence and the verdict of the attempt that
 * failed, what its assignee says against it, what was asked and answered about it, and earlier reassignments.
 */
function DefectContext({ live, view, defectId }: DefectContextProps) {
  const { context, isLoaded, error } = useRecord(live.sessionId, 'defect', defectId, live.version.value);
  if (!isLoaded) return <Pending error={error} />;
  if (!context) return null;
  return (
    <div class="stack defect-context">
      <Expected context={context} />
      <Failed context={context} />
      <Disputes view={view} context={context} />
      <Asked live={live} view={view} context={context} />
      <Reassigned context={context} />
    </div>
  );
}

const STEPS = ['given', 'when', 'then'] as const;
// biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
const TEST = { id: 'text', given: 'text', when: 'text', then: 'text' } as const;

function Expected({ context }: Pick<PartProps, 'context'>) {
  const test = readAs(context.contract?.value, TEST);
  if (test.id === '') return null;
  return (
    <details>
      <summary>
        What the contract expects of <SafeText text={test.id} />
      </summary>
      {STEPS.map((step) => (
        <p key={step}>
          <strong>{step}</strong> <LinkedText text={test[step]} />
        </p>
      ))}
    </details>
  );
}

function Failed({ context: { attempt } }: Pick<PartProps, 'context'>) {
  if (!attempt) return null;
  return (
    <section>
      <h4>What attempt {attempt.attempt} showed</h4>
      <BothSides evidence={seenIn(attempt)} verdict={attempt.verdict} />
      <Attachments files={attempt.attachments} />
    </section>
  );
}

function Disputes({ view, context: { disputes = [] } }: Omit<PartProps, 'live'>) {
  return (
    <>
      {disputes.map((finding) => (
        <section key={finding.finding_id}>
          <h4>
            <Role of={finding.raised_by} name={nameIn(view, finding.raised_by)} /> disputes it in{' '}
            <IdLink id={finding.finding_id} />
          </h4>
          <LazyMarkdown text={finding.text ?? ''} />
          <Answers view={view} finding={finding} />
        </section>
      ))}
    </>
  );
}

interface PartProps extends SessionProps {
  readonly context: Context;
}

function Asked({ live, view, context: { interventions = [] } }: PartProps) {
  if (interventions.length === 0) return null;
  return (
    <section>
      <h4>Asked and answered</h4>
      <ul class="plain">
        {interventions.map((item) => (
          <InterventionItem key={item.intervention_id} live={live} view={view} item={item} canWithdraw={false} />
        ))}
      </ul>
    </section>
  );
}

function Reassigned({ context: { reassigned = [] } }: Pick<PartProps, 'context'>) {
  if (reassigned.length === 0) return null;
  return (
    <section>
      <h4>Reassigned by the owner</h4>
      <ul class="plain">
        {reassigned.map(({ message_id, from, to, at, reason = '' }) => (
          <li key={message_id}>
            From {roleName(from)} to {roleName(to)}, <When at={at} />, <MessageLink number={message_id} />
            {reason === '' ? (
              <span class="muted">, no reason given</span>
            ) : (
              <LinkedText in="p" class="reply" text={reason} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DefectDialogProps extends SessionDialogProps {
  readonly defect: Pick<Board['defects'][number], 'defect_id' | 'status' | 'assigned_to'>;
}

const choicesOf = ({ status, assigned_to }: DefectDialogProps['defect']) =>
  defectChoices({ status, assignedTo: assigned_to }, roleName);

/**
 * The dialog that assigns a defect to the other agent: other than the one who had it when the dialog opened, as its title says,
 * also if the board changes meanwhile.
 */
export function ReassignDialog({ live, view, defect: shown, onClose }: DefectDialogProps) {
  const defect = useSignal(shown).value;
  const { defect_id, assigned_to } = defect;
  const role = otherAgent(assigned_to);
  const isTask = view.waits.some(({ operation, record }) => operation === 'reassignDefect' && record.id === defect_id);
  // A dispute or an answer stays a task of the owner while the assignee stays the same.
  const leaving = isTask ? '' : ` If you leave it with ${roleName(assigned_to)}, you have nothing to do.`;
  return (
    <ReasonDialog
      live={live}
      title={`Assign ${defect_id} to ${roleName(role)}`}
      explanation={`${choicesOf(defect).give} ${COST_OF_FIX}${leaving} Both agents can read your reason.`}
      about={<FoldedDefectContext live={live} view={view} defectId={defect_id} />}
      confirm="Assign the defect"
      isRequired={false}
      onConfirm={(reason, seen) =>
        live.act('reassignDefect', { defect_id, role, ...seen, ...(reason !== '' && { reason }) })
      }
      onClose={onClose}
    />
  );
}

/** The dialog that closes a defect without a fix. */
export const WaiveDialog = ({ live, view, defect, onClose }: DefectDialogProps) => (
  <ReasonDialog
    live={live}
    title={`Waive ${defect.defect_id}`}
    explanation={`${choicesOf(defect).waive} The defect no longer prevents a release. Both agents can read your reason.`}
    about={<FoldedDefectContext live={live} view={view} defectId={defect.defect_id} />}
    confirm="Waive the defect"
    onConfirm={(reason, seen) => live.act('waiveDefect', { defect_id: defect.defect_id, reason, ...seen })}
    onClose={onClose}
  />
);

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
