import { shortened } from '../../../../src/text/records/first-words.ts';
import type { BriefAnswer, SessionView } from '../../api/types.ts';
import { useRecord } from '../../ui/requests/use-record.ts';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { MarkedChange } from '../../ui/text/marked-change.tsx';
import { Badge, Role, SafeText } from '../../ui/text/shown.tsx';
import { sectionOfMember } from '../reading/contract-model.ts';
import { ReadSoFar } from '../reading/read-so-far.tsx';
import { Requests } from '../reading/section-body.tsx';
import { RecordText } from '../record-text.tsx';

interface BriefPart {
  readonly brief: BriefAnswer;
}

interface BriefContractProps extends BriefPart {
  readonly view: SessionView;
}

/** The part of a brief about the contract: changes, unread sections, decisions and findings. */
export function BriefContract(props: BriefContractProps) {
  const { view, brief } = props;
  return (
    <>
      {brief.stage === 'approval' && <Reading {...props} />}
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
  if (findings_put_aside.length === 0) return null;
  return (
    <section>
      <h3>Findings that ended without being resolved</h3>
      <ul>
        {findings_put_aside.map(({ finding_id, status, raised_by, blocking, reason, text }) => (
          <li key={finding_id}>
            <IdLink id={finding_id} /> <Badge tone="warn">{status}</Badge>{' '}
            {blocking && <Badge tone="bad">was blocking</Badge>} raised by <Role of={raised_by} />
            <RecordText view={view} type="finding" id={finding_id} text={text} />
            <AnswerTo sessionId={view.session_id} findingId={finding_id} />
            {reason && (
              <span class="muted">
                {' '}
                Your reason: <SafeText text={reason} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
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
  if (open_caveats.length === 0) return null;
  return (
    <section>
      <h3>Open caveats</h3>
      <ul>
        {open_caveats.map(({ finding_id, by, text, answer }) => (
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
        ))}
      </ul>
    </section>
  );
}

function Readiness({ brief: { readiness } }: BriefPart) {
  if (readiness.length === 0) return null;
  return (
    <section>
      <h3>Readiness</h3>
      <ul>
        {readiness.map(({ by, verdict, answers }) => (
          <li key={by}>
            <Role of={by} /> <Badge tone={verdict === 'READY_TO_CODE' ? 'good' : 'bad'}>{verdict}</Badge>{' '}
            <span class="muted">{`Answers: ${answers.length}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
