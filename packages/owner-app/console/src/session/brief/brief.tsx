import '../../styles/brief.css';
import { plural } from '@parley/core/text';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { namedText } from '../../../../src/text/agent.ts';
import { APPROVED_BY, lapsedText } from '../../../../src/text/record-words.ts';
import { shortened } from '../../../../src/text/visible.ts';
import type { BriefAnswer, SessionView } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { setting } from '../../state/setting.ts';
import { Pending, useCall, useRecord } from '../../ui/requests.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Level, MarkedChange } from '../../ui/text/marks.tsx';
import { Ago, Badge, LeftOut, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { sectionOfMember, sendMarks } from '../reading/contract-model.ts';
import { ReadSoFar, Requests } from '../reading/section-body.tsx';
import { RecordText } from '../record-text.tsx';
import type { Stage } from './steps.ts';

/**
 * Shows who approved a step, how many approvals are still missing, and whose do not count any more. Renders nothing if the step needs one approval
 * and no approver is known by name.
 */
export function ApprovalLine({ approvals: { stage, required, given, lapsed = [] } }: Pick<BriefAnswer, 'approvals'>) {
  const named = given.filter(({ person }) => person !== null);
  const missing = required - given.length;
  if (required === 1 && named.length === 0) return null;
  return (
    <p class="muted">
      {APPROVED_BY[stage]}{' '}
      {given.map(({ person, at }, index) => (
        <span key={at}>
          {index > 0 && ' and '}
          <SafeText in="strong" text={person?.name ?? 'the owner'} />, <When at={at} />
        </span>
      ))}
      {missing > 0 && `${given.length > 0 ? '; ' : ': '}${plural(missing, 'more approver')} needed`}
      {lapsed.length > 0 && <SafeText text={lapsedText(lapsed.map(({ person }) => person?.name ?? 'the owner'))} />}.
    </p>
  );
}

/** What happens after each step, and how the step can be undone. */
const WHAT_FOLLOWS: Readonly<Record<Stage, string>> = {
  approval:
    'The contract with this hash is frozen in a manifest, and each agent gets its handoff. Requesting changes cancels the approval.',
  build:
    'Both agents are told to write code from the frozen contract. Requesting changes cancels this authorization and removes the manifest.',
  deployment:
    'Parley records that the declared commits may be deployed, and the session moves to RELEASE. Parley deploys nothing itself. If an agent declares a new commit, the authorization is cancelled.',
  activation:
    'Parley records that the deployed commits may be activated. Parley activates nothing itself. If an agent declares a new commit, the authorization is cancelled.',
  release:
    'Parley records that the declared commits may be deployed and activated, and the session ends for good. Parley deploys and activates nothing itself. The release cannot be undone.',
};

interface BriefPart {
  readonly brief: BriefAnswer;
}

interface BriefContractProps extends BriefPart {
  readonly view: SessionView;
}

interface ListedProps<T> {
  readonly title: string;
  /** A sentence above the list. */
  readonly note?: string;
  readonly items: readonly T[];
  /** Makes the item of the list, with a key. */
  readonly children: (item: T) => ComponentChildren;
}

/** A section of a brief with a list. Renders nothing without items. */
function Listed<T>({ title, note, items, children }: ListedProps<T>) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      {note && <p class="muted">{note}</p>}
      <ul>{items.map(children)}</ul>
    </section>
  );
}

/** The part of a brief about the contract: changes, unread sections, decisions and findings. */
function BriefContract(props: BriefContractProps) {
  const { view, brief } = props;
  return (
    <>
      {brief.stage === 'approval' && <Reading {...props} />}
      <OpenAgenda brief={brief} />
      <Requests sessionId={view.session_id} requests={brief.requests} />
      <Decisions brief={brief} />
      <PutAside view={view} brief={brief} />
      <Caveats brief={brief} />
      <Readiness brief={brief} />
    </>
  );
}

function Reading({ view, brief }: BriefContractProps) {
  const { since, changes } = brief;
  const counts = changes.map(({ section, count }) => `${sectionOfMember(section).title} (${count})`).join(', ');
  return (
    <section>
      <h3>Your reading</h3>
      <p>
        {since === null
          ? 'You have not marked any section of an earlier revision as read.'
          : `Changed since ${since}: ${counts || 'nothing'}.`}
      </p>
      <p>
        <ReadSoFar sessionId={view.session_id} brief={brief} unread={brief.unread} />
      </p>
    </section>
  );
}

function OpenAgenda({ brief: { agenda_open } }: BriefPart) {
  const { topics = [], scenarios = [] } = agenda_open ?? {};
  const open = [
    ...topics.map((topic) => ['not decided', topic] as const),
    ...scenarios.map((id) => ['not in the contract', `scenario ${id}`] as const),
  ];
  return (
    <Listed title="Open on your agenda" items={open}>
      {([state, text]) => (
        <li key={`${state} ${text}`}>
          <Badge tone="warn">{state}</Badge> <SafeText text={text} />
        </li>
      )}
    </Listed>
  );
}

function Decisions({ brief: { since, decisions_added, decisions_superseded } }: BriefPart) {
  if (decisions_added.length + decisions_superseded.length === 0) return null;
  return (
    <details open={since !== null}>
      <summary>
        {since === null
          ? `Decisions: ${decisions_added.length}`
          : `Decisions since ${since}: ${decisions_added.length} added, ${decisions_superseded.length} replaced`}
      </summary>
      <ul>
        {decisions_added.map(({ decision_id, topic, status, proposed_by, supersedes, position, changes }) => (
          <li key={decision_id}>
            <IdLink id={decision_id} /> <SafeText text={topic} /> <span class="muted">{status}, proposed by </span>
            <Role of={proposed_by} />
            {supersedes && <span class="muted">, replaces {supersedes}</span>}
            {changes && <MarkedChange words={changes} />}
            {position && <SafeText text={position} />}
          </li>
        ))}
        {decisions_superseded.map(({ decision_id, topic, superseded_by }) => (
          <li key={decision_id}>
            <IdLink id={decision_id} /> <SafeText text={topic} />{' '}
            <span class="muted">was replaced by {superseded_by}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function PutAside({ view, brief: { findings_put_aside } }: BriefPart & { readonly view: SessionView }) {
  return (
    <Listed title="Findings that ended without being resolved" items={findings_put_aside}>
      {({ finding_id, status, raised_by, blocking, reason, text }) => (
        <li key={finding_id}>
          <IdLink id={finding_id} /> <Badge tone="warn">{status}</Badge>{' '}
          {blocking && <Badge tone="bad">was blocking</Badge>} raised by <Role of={raised_by} />
          <RecordText view={view} type="finding" id={finding_id} record={{ text }} />
          <AnswerTo sessionId={view.session_id} findingId={finding_id} />
          {reason && (
            <span class="muted">
              {' '}
              Your reason: <SafeText text={reason} />
            </span>
          )}
        </li>
      )}
    </Listed>
  );
}

/** Maximum number of characters of the answer to a finding. */
const ANSWER_CHARS = 300;

/** The beginning of the answer to a finding. Shows nothing until the finding is loaded, and without an answer. */
function AnswerTo({ sessionId, findingId }: { readonly sessionId: string; readonly findingId: string }) {
  const given = useRecord(sessionId, 'finding', findingId).record?.response;
  if (!given) return null;
  return (
    <p>
      <Role of={given.by} /> <strong>{given.decision}</strong>:{' '}
      <SafeText text={shortened(given.response ?? '', ANSWER_CHARS)} />
    </p>
  );
}

function Caveats({ brief: { open_caveats } }: BriefPart) {
  return (
    <Listed title="Open caveats" items={open_caveats}>
      {({ finding_id, by, text, answer }) => (
        <li key={finding_id}>
          <IdLink id={finding_id} /> <Role of={by} />: <SafeText text={text ?? ''} />{' '}
          {answer ? (
            <span class="muted">
              {answer.decision}: <SafeText text={answer.response ?? ''} />
            </span>
          ) : (
            <Badge tone="warn">not answered</Badge>
          )}
        </li>
      )}
    </Listed>
  );
}

function Readiness({ brief: { readiness } }: BriefPart) {
  return (
    <Listed title="Readiness" items={readiness}>
      {({ by, verdict, answers }) => (
        <li key={by}>
          <Role of={by} /> <Badge tone={verdict === 'READY_TO_CODE' ? 'good' : 'bad'}>{verdict}</Badge>{' '}
          <span class="muted">{`Answers: ${answers.length}`}</span>
        </li>
      )}
    </Listed>
  );
}

type Advice = BriefAnswer['moderator']['open_advice'][number];

/** The part of a brief about the moderator: the moderator's advice on the step, or a note that there is no advice. */
function BriefModerator({ brief: { moderator } }: BriefPart) {
  const { takes_part, review, open_advice, last_advice, awaited_since } = moderator;
  const shown = open_advice.length > 0 ? open_advice : last_advice ? [last_advice] : [];
  if (!takes_part && !review && shown.length === 0) return null;
  return (
    <section>
      <h3>The moderator</h3>
      {awaited_since && (
        <p>
          <Badge tone="warn">no advice yet</Badge> This step became possible <Ago at={awaited_since} />. You can wait
          for the advice.
        </p>
      )}
      {review && (
        <p class="quoted quote">
          About <IdLink id={review.revision_id} />:{' '}
          <Badge tone={review.verdict === 'APPROVE' ? 'good' : 'warn'}>{review.verdict}</Badge>{' '}
          <SafeText text={review.summary} />
        </p>
      )}
      {shown.map((advice) => (
        <AdviceItem key={advice.recommendation_id} advice={advice} isEarlier={awaited_since !== null} />
      ))}
    </section>
  );
}

function AdviceItem({
  advice: { recommendation_id, recommendation, text, made_at, answer },
  isEarlier,
}: {
  readonly advice: Advice;
  /** Whether the advice is about an earlier step than the one that the brief is about. */
  readonly isEarlier: boolean;
}) {
  return (
    <p class="quoted quote">
      {isEarlier && 'About an earlier step: '}
      <Badge tone="live">{recommendation}</Badge> <IdLink id={recommendation_id} />, <When at={made_at} />
      {answer ? `, which you answered ${answer.decision}` : ', not answered'}: <SafeText text={text ?? ''} />
    </p>
  );
}

function Levels({ brief: { levels } }: BriefPart) {
  return (
    <Listed title="What each pass rests on" items={levels}>
      {({ scenario_id, level }) => (
        <li key={scenario_id}>
          <IdLink id={scenario_id} /> <Level of={level} />
        </li>
      )}
    </Listed>
  );
}

/** The part of a brief about the verification: builders' commits, accepted deviations, defects, reports on gates. */
function BriefVerify({ brief }: BriefPart) {
  const { stage, handshakes, deviations, carried, defects, defects_reassigned, gate_reports } = brief;
  if (stage === 'approval' || stage === 'build') return null;
  return (
    <>
      <dl class="facts-list">
        {handshakes.map(({ by, commit, service, version, environment, declared_at }) => [
          <dt key={by}>
            Commit of <Role of={by} />
          </dt>,
          <dd key={`${by} commit`}>
            <code>{commit}</code> <SafeText text={`${service} ${version}, ${environment}`} />, declared{' '}
            <When at={declared_at} />
          </dd>,
        ])}
      </dl>
      {deviations.length === 0 ? (
        <p class="muted">No scenario was passed with a deviation from the contract.</p>
      ) : (
        <Listed title="Deviations from the contract in scenarios that passed" items={deviations}>
          {({ scenario_id, by, deviations: named }) =>
            named.map((text) => (
              <li key={`${scenario_id} ${text}`}>
                <IdLink id={scenario_id} /> <Role of={by} />: <SafeText text={text} />
              </li>
            ))
          }
        </Listed>
      )}
      <Listed title="Passes carried over from other commits, without a rerun" items={carried}>
        {({ scenario_id, attempt, carried: { by, reason, changes } }) => (
          <li key={scenario_id}>
            <IdLink id={scenario_id} /> attempt {attempt}, by <Role of={by} />: <SafeText text={reason} />
            {changes.map(({ declared_by, since, paths }) => (
              <span key={declared_by} class="muted">
                {' '}
                {paths} changed {paths === 1 ? 'path' : 'paths'} since <code>{since.slice(0, 9)}</code>, declared by{' '}
                <Role of={declared_by} />
              </span>
            ))}
          </li>
        )}
      </Listed>
      <Listed title="Defects" items={defects}>
        {({ defect_id, scenario_id, status, assigned_to, refusal }) => (
          <li key={defect_id}>
            <IdLink id={defect_id} /> on <IdLink id={scenario_id} /> <Badge>{status}</Badge> <Role of={assigned_to} />
            {defects_reassigned.includes(defect_id) && <span class="muted"> reassigned</span>}
            {refusal && <SafeText text={` ${refusal.stage} refused: ${refusal.reason}`} />}
          </li>
        )}
      </Listed>
      <Listed title="Reports on the gates" items={gate_reports}>
        {({ role, reported, note }) => (
          <li key={role}>
            <Role of={role} />:{' '}
            {reported ? (
              <SafeText text={note ?? 'reported without a note'} />
            ) : (
              <span class="muted">has not reported yet</span>
            )}
          </li>
        )}
      </Listed>
    </>
  );
}

interface BriefProps extends SessionProps {
  readonly stage: Stage;
}

/**
 * Shows what the owner must consider before an approval or an authorization: hash and commits, changes since the last
 * reading, open points, advice of the moderator, and consequences.
 */
export function Brief({ live, view, stage }: BriefProps) {
  const isCurrent = useSignal(false);
  useEffect(() => {
    // Sends the marks of sections that were read just now, because the brief names the unread sections.
    void sendMarks().then(setting(isCurrent, true));
  }, [isCurrent]);
  const asked = isCurrent.value ? { session_id: live.sessionId, stage } : null;
  const { value: brief, error } = useCall('brief', asked, view.head.seq);
  if (!brief) return <Pending error={error} />;
  return (
    <div class="stack brief">
      <Missing brief={brief} />
      <ApprovalLine approvals={brief.approvals} />
      <Levels brief={brief} />
      {/* For an approval, the hash is not shown here, because the form shows it beside the field in which the owner types
          it. */}
      {stage !== 'approval' && <Bytes brief={brief} />}
      <Gates brief={brief} />
      <BriefVerify brief={brief} />
      <BriefContract view={view} brief={brief} />
      <BriefModerator brief={brief} />
      <LeftOut of={brief.left_out} />
      <p>
        <strong>What happens then:</strong> {WHAT_FOLLOWS[stage]}
      </p>
    </div>
  );
}

function Missing({ brief: { missing } }: BriefPart) {
  if (missing.length === 0) return null;
  return (
    <section class="failure">
      <h3>This step is not possible yet</h3>
      <ul>
        {missing.map((reason) => (
          <SafeText key={reason} in="li" text={reason} />
        ))}
      </ul>
    </section>
  );
}

function Gates({ brief: { gates } }: BriefPart) {
  return (
    <Listed
      title="Gates of this stage"
      note="Parley checks whether a recorded run has met each gate that demands one. It does not check the conditions."
      items={gates}
    >
      {({ id, title, condition, level, standing }) => (
        <li key={id}>
          <IdLink id={id} /> <SafeText text={`${title}: ${condition}`} /> {level && <Level of={level} />}
          {standing && !level && <Badge tone="warn">missing</Badge>}{' '}
          {standing && (
            <span class="muted">
              <SafeText text={namedText(standing.missing.join('; '), roleName)} />{' '}
              {standing.run.command && <SafeText in="code" text={standing.run.command} />}
            </span>
          )}
        </li>
      )}
    </Listed>
  );
}

function Bytes({ brief }: BriefPart) {
  const { revision_id, content_hash, manifest_id, manifest_sha256 } = brief;
  return (
    <dl class="facts-list">
      <dt>Contract</dt>
      <dd>
        {revision_id ?? 'none yet'}
        {content_hash && (
          <>
            , hash <code>{content_hash}</code>
          </>
        )}
      </dd>
      {manifest_sha256 && (
        <>
          <dt>Manifest {manifest_id}</dt>
          <dd>
            <code>{manifest_sha256}</code>
          </dd>
        </>
      )}
    </dl>
  );
}
