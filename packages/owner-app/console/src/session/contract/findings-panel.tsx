import { placeWords } from '@parley/core/reading';
import type { Json } from '../../../../src/text/read-as.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { LazyMarkdown, useRecord } from '../../ui/requests.tsx';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge, Note, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { OperationButton } from '../operation-dialog.tsx';
import { sectionOfMember } from '../reading/contract-model.ts';
import { nameIn, RecordText } from '../record-text.tsx';

export type Finding = SessionView['findings'][number];
type Response = NonNullable<Finding['response']>;

export const isOpenFinding = ({ status }: Finding): boolean => status === 'OPEN' || status === 'RESPONDED';

interface FindingItemProps extends SessionProps {
  readonly finding: Finding;
}

interface PlacedFindingProps extends FindingItemProps {
  /** Id of the part of the contract that contains the target. If left out, `shown` is used. */
  readonly partId?: string | undefined;
  /** The revision that the page shows. */
  readonly shown?: ShownContract | undefined;
}

/** A revision whose places can be named in words. */
interface ShownContract {
  readonly revisionId: string;
  /** Null until it is loaded. */
  readonly contract: Json | null;
}

export function FindingItem({ live, view, finding, partId, shown }: PlacedFindingProps) {
  const contract = shown?.revisionId === finding.revision_id ? shown.contract : null;
  const read = usePartId(live.sessionId, shown && contract === null ? finding : null);
  const { finding_id, text, target, revision_id, resolution_criteria } = finding;
  return (
    <li class={isOpenFinding(finding) ? undefined : 'outdated'}>
      <FindingHead view={view} finding={finding} />
      <RecordText view={view} type="finding" id={finding_id} record={{ text }} />
      {(target || revision_id) && (
        <p class="muted">
          {target && (
            <>
              at <Target target={target} partId={partId ?? read} contract={contract} />{' '}
            </>
          )}
          {revision_id && (
            <>
              on <IdLink id={revision_id} />
            </>
          )}
        </p>
      )}
      {resolution_criteria && <LinkedText in="p" class="muted" text={`Resolved when: ${resolution_criteria}`} />}
      <Answers view={view} finding={finding} />
      {finding.awaiting && (
        <p class="muted">Waits for the answer of {finding.awaiting.map((role) => nameIn(view, role)).join(' and ')}.</p>
      )}
      <Note label="Overridden by the owner:" text={finding.override_reason} />
      <FindingActions live={live} view={view} finding={finding} />
    </li>
  );
}

/**
 * Reads the id of the contract part that an open finding names by a JSON Pointer. Undefined if the finding is null or
 * closed, if its target is no JSON Pointer or leads to no part, and until the answer is loaded.
 */
function usePartId(sessionId: string, finding: Finding | null): string | undefined {
  const isRead = finding !== null && isOpenFinding(finding) && finding.target?.startsWith('/') === true;
  return useRecord(sessionId, 'finding', isRead ? finding.finding_id : null).context?.contract?.part_id;
}

interface TargetProps {
  readonly target: string;
  readonly partId: string | undefined;
  /** The contract of the finding's revision. Null if the page does not show it. */
  readonly contract: Json | null;
}

/**
 * Shows the place in the contract that a finding names. A JSON Pointer is shown as the id of its part and the member in
 * the part, if the part is known; else as words, if the contract contains the place; else as the title of the section. Any
 * other target is shown as it is.
 */
function Target({ target, partId, contract }: TargetProps) {
  // The first two reference tokens of the pointer are the list and the index of the part.
  const member = target.startsWith('/') ? target.split('/').slice(3).join('/') : '';
  const words = partId === undefined && contract ? placeWords(contract, target) : undefined;
  if (words !== undefined) return <LinkedText text={words} />;
  if (partId === undefined && target.startsWith('/')) return <>{sectionOfMember(target.split('/')[1] ?? '').title}</>;
  if (partId === undefined) return <LinkedText in="code" text={target} isCode />;
  return (
    <>
      <IdLink id={partId} />
      {member !== '' && (
        <>
          , <code>{visible(member)}</code>,
        </>
      )}
    </>
  );
}

function FindingHead({ view, finding }: Omit<FindingItemProps, 'live'>) {
  const { finding_id, status, raised_by, kind, category, severity, blocking, raised_at } = finding;
  const isOpen = isOpenFinding(finding);
  return (
    <p class="record-head">
      <IdLink id={finding_id} />
      <Role of={raised_by} name={nameIn(view, raised_by)} />
      <Badge tone={isOpen ? 'warn' : 'plain'}>{status}</Badge>
      {blocking && <Badge tone={isOpen ? 'bad' : 'plain'}>blocking</Badge>}
      <span class="muted">{[kind ?? category, severity].filter(Boolean).join(', ')}</span>
      <span class="muted">
        <When at={raised_at} />
      </span>
    </p>
  );
}

/** The answers to a finding. */
export const Answers = ({ view, finding: { other_response, response } }: Omit<FindingItemProps, 'live'>) => (
  <>{[other_response, response].map((given) => given && <Answer key={given.by} view={view} given={given} />)}</>
);

function Answer({ view, given }: { readonly view: SessionView; readonly given: Response }) {
  const { by, decision, response, fixed_in } = given;
  return (
    <div class="reply">
      <p class="record-head">
        <Role of={by} name={nameIn(view, by)} /> <strong>{decision}</strong>
        {fixed_in && (
          <span class="muted">
            fixed in <IdLink id={fixed_in} />
          </span>
        )}
      </p>
      {response && <LazyMarkdown text={response} />}
    </div>
  );
}

/** The hold on a finding and, until the session ends, the buttons that release the hold and override the finding. */
function FindingActions({ live, view, finding }: FindingItemProps) {
  const { finding_id } = finding;
  const holds = view.holds.filter((one) => one.finding_id === finding_id);
  const hold = holds.find(({ status }) => status === 'ACTIVE');
  const last = hold ?? holds.at(-1);
  const canAct = view.state.status !== 'ENDED' && isOpenFinding(finding);
  return (
    <>
      {hold && (
        <p>
          <Badge tone="bad">{`hold ${hold.hold_id}`}</Badge> <SafeText text={hold.reason} />
        </p>
      )}
      <div class="buttons">
        {last && (
          <OperationButton
            label={`Release hold ${last.hold_id}`}
            needs="approver"
            isOffered={canAct && hold !== undefined}
            live={live}
            operation="releaseHold"
            payload={{ hold_id: last.hold_id }}
            findingId={finding_id}
          />
        )}
        <OperationButton
          label={`Override ${finding_id}`}
          needs="approver"
          isOffered={canAct}
          live={live}
          operation="overrideFinding"
          payload={{ finding_id }}
        />
      </div>
    </>
  );
}

interface FindingsPanelProps extends SessionProps {
  /** The revision that the page shows. Left out if there is none. */
  readonly shown?: ShownContract;
}

/** The findings of the reviewer and the moderator, with their holds. Open findings come first. */
export function FindingsPanel({ live, view, shown }: FindingsPanelProps) {
  const { findings } = view;
  if (findings.length === 0) return null;
  const open = findings.filter(isOpenFinding);
  const sorted = [...open, ...findings.filter((finding) => !isOpenFinding(finding))];
  return (
    <Card head="findings-head" title={`Findings (${open.length} open of ${findings.length})`}>
      <ul class="findings quotes">
        {sorted.map((finding) => (
          <FindingItem key={finding.finding_id} live={live} view={view} finding={finding} shown={shown} />
        ))}
      </ul>
    </Card>
  );
}
