import { useSignal } from '@preact/signals';
import { readAs } from '../../../../src/text/read-as.ts';
import type { RecordsAnswer } from '../../api/types.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { useRecord } from '../../ui/requests/use-record.ts';
import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';
import { IdLink, LinkedText, MessageLink } from '../../ui/text/linked-text.tsx';
import { Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { Answers } from '../contract/findings-panel.tsx';
import { nameIn } from '../interventions/names.ts';
import { InterventionItem } from '../interventions/panel.tsx';
import { Attachments } from './attachments.tsx';
import { BothSides } from './both-sides.tsx';
import { seenIn } from './seen-evidence.ts';
import '../../styles/contract.css';
import '../../styles/verify.css';

type Context = NonNullable<RecordsAnswer['context']>;

interface DefectContextProps extends SessionProps {
  readonly defectId: string;
}

interface FoldedProps extends DefectContextProps {
  readonly isUnfolded?: boolean;
}

/** What the owner needs to judge a defect, in a part that can be folded. It is read when it is unfolded. */
export function FoldedDefectContext({ isUnfolded = false, ...props }: FoldedProps) {
  const hasBeenOpen = useSignal(isUnfolded);
  return (
    <details
      open={isUnfolded}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) hasBeenOpen.value = true;
      }}
    >
      <summary>{`What was seen and said about ${props.defectId}`}</summary>
      {hasBeenOpen.value && <DefectContext {...props} />}
    </details>
  );
}

/**
 * What the owner needs to judge a defect: what the contract expects, the evidence and the verdict of the attempt that
 * failed, what its assignee says against it, what was asked and answered about it, and earlier reassignments.
 */
function DefectContext({ live, view, defectId }: DefectContextProps) {
  const { context, isLoaded, error } = useRecord(live.sessionId, 'defect', defectId, live.version.value);
  if (!isLoaded) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  if (!context) return null;
  return (
    <div class="defect-context">
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

function Expected({ context }: { readonly context: Context }) {
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

function Failed({ context: { attempt } }: { readonly context: Context }) {
  if (!attempt) return null;
  return (
    <section>
      <h4>What attempt {attempt.attempt} showed</h4>
      <BothSides evidence={seenIn(attempt)} verdict={attempt.verdict} />
      <Attachments files={attempt.attachments} />
    </section>
  );
}

function Disputes({
  view,
  context: { disputes = [] },
}: Pick<DefectContextProps, 'view'> & { readonly context: Context }) {
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

interface PartProps extends Pick<DefectContextProps, 'live' | 'view'> {
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
              <p class="reply">
                <LinkedText text={reason} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
