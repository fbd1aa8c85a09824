import '../../styles/contract.css';
import '../../styles/reading.css';
import { recordTypeOf } from '@parley/core/text';
import { contentTexts } from '@parley/core/words';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import type { Message } from '../../../../src/transcript/message.ts';
import type { RecordsAnswer, SessionView } from '../../api/answers.ts';
import {
  type LiveSession,
  type SessionDialogProps,
  type SessionProps,
  useAllEvents,
} from '../../state/live-session.ts';
import { backToEarlier, closeSheet, earlierId, toMessage, toSession } from '../../state/route.ts';
import { SidePanel } from '../../ui/controls/side-panel.tsx';
import { lazy, Pending, type RecordOf, type RecordType, useCall, useRecord } from '../../ui/requests.tsx';
import { IdLink, Link, LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { WordDiff } from '../../ui/text/word-diff.tsx';
import { FindingItem } from '../contract/findings-panel.tsx';
import { ActionItem, InterventionItem } from '../interventions/panel.tsx';
import { OwnersQuestion, QuestionItem } from '../interventions/questions.tsx';
import { FollowupItem } from '../log/followups.tsx';
import { HoldItem, RecommendationItem } from '../people/people-tab.tsx';
import { PartBody } from '../reading/part-body.tsx';
import { DECISION_TONES, DecisionStatus, nameIn, RecordText, Texts } from '../record-text.tsx';
import { type ContractPart, shownParts } from '../shown-parts.ts';
import { createTranscript, indexAt } from '../transcript/rows.ts';
import { DefectItem } from '../verify/defect-context.tsx';
import { ProposedIn } from './turn-of-question.tsx';

type Context = NonNullable<RecordsAnswer['context']>;

interface RecordContextProps {
  readonly view: SessionView;
  readonly context: Context;
}

/**
 * Shows the moderator's advice on a record, and the summary of the turn that created the record. For a question, also
 * the decisions that this turn proposes and its objections.
 */
export function RecordContext({ view, context: { type, advice = [], events } }: RecordContextProps) {
  return (
    <>
      {advice.map(({ recommendation_id, recommendation, text }) => (
        <section key={recommendation_id} class="record-context">
          <h3>
            The moderator recommends <IdLink id={recommendation_id} />
          </h3>
          <p>
            <Badge tone="live">{recommendation}</Badge>
          </p>
          <RecordText view={view} type="recommendation" id={recommendation_id} record={{ text }} />
        </section>
      ))}
      {events.flatMap(({ id, what, from, record, summary }) =>
        summary === undefined || what === 'answered'
          ? []
          : [
              <section key={id} class="record-context">
                <h3>
                  {`Turn ${Number(record.id) + 1} of `}
                  <Role of={from} name={nameIn(view, from)} />
                </h3>
                <Markdown text={summary} />
                {type === 'question' && <ProposedIn sessionId={view.session_id} messageId={id} />}
              </section>,
            ],
      )}
    </>
  );
}

type Decision = SessionView['decisions'][number];

interface DecisionRecordProps extends SessionProps {
  /** The decision. Its position is present even if the decision is closed. */
  readonly decision: Decision;
}

function DecisionRecord({ live, view, decision }: DecisionRecordProps) {
  const { decision_id, topic, status, reason, supersedes, proposed_at } = decision;
  const successor = view.decisions.find((other) => other.supersedes === decision_id);
  return (
    <li class="record">
      <p class="record-head">
        <SafeText in="b" text={topic} />
        <Badge tone={DECISION_TONES[status]}>{status}</Badge>
        <span class="muted">
          <When at={proposed_at} />
        </span>
      </p>
      <Texts of={contentTexts('decision', decision)} />
      {reason && <LinkedText in="p" class="muted" text={`because ${reason}`} />}
      <DecisionStatus view={view} decision={decision} />
      {successor && (
        <Replacement
          label="Replaced by"
          other={successor.decision_id}
          live={live}
          before={decision_id}
          after={successor.decision_id}
        />
      )}
      {supersedes !== null && (
        <Replacement label="Replaces" other={supersedes} live={live} before={supersedes} after={decision_id} />
      )}
    </li>
  );
}

interface ReplacementProps {
  readonly label: string;
  readonly other: string;
  readonly live: LiveSession;
  /** The id of the superseded decision. */
  readonly before: string;
  /** The id of the decision that replaced `before`. */
  readonly after: string;
}

/** Shows a link to the decision `other`, and the words in which the positions of `before` and `after` differ. */
function Replacement({ label, other, live, before, after }: ReplacementProps) {
  const earlier = usePosition(live, before);
  const later = usePosition(live, after);
  return (
    <section class="replacement" aria-label={`${label} ${other}`}>
      <h3>
        {label} <IdLink id={other} />
      </h3>
      <p class="muted">
        Words of {before} that {after} removed are struck out. Words that {after} added are underlined.
      </p>
      {earlier !== null && later !== null ? <WordDiff before={earlier} after={later} /> : <Pending />}
    </section>
  );
}

function usePosition(live: LiveSession, id: string): string | null {
  return useRecord(live.sessionId, 'decision', id).record?.position ?? null;
}

/**
 * Returns the event that created a record: the first event about the record. Undefined if that event is not loaded yet.
 */
function firstEventOf(events: readonly Message[], id: string): Message | undefined {
  const member = `${recordTypeOf(id) ?? ''}_id`;
  return events.find(
    ({ kind, body }) =>
      Object.entries(body).some(([name, value]) => name === member && value === id) ||
      (kind === 'review.submitted' && body.findings?.includes(id)),
  );
}

/** A link to the message that created a record, such as the turn that proposed a decision. */
function MadeIn({ live, id }: { readonly live: LiveSession; readonly id: string }) {
  const hasAll = useAllEvents(live);
  const read = useMemo(createTranscript, [live]);
  if (!hasAll) return <p class="waiting">Looking for the message that created this record…</p>;
  const event = firstEventOf(live.events.value, id);
  if (!event) return null;
  const entries = read(live.events.value);
  const message = entries[indexAt(entries, event.id)];
  if (!message) return null;
  return (
    <p class="made-in">
      <Link
        to={toMessage(live.sessionId, message.id)}
        onFollow={closeSheet}
      >{`Go to message #${message.id}, which created this record`}</Link>
    </p>
  );
}

interface RecordDetailsProps extends SessionProps {
  readonly id: string;
}

type Show<Type extends RecordType> = (
  props: RecordDetailsProps,
  record: RecordOf<Type>,
  context: RecordsAnswer['context'],
) => ComponentChildren;

type Shown = Exclude<RecordType, 'defect'>;

const SHOWN: { readonly [Type in Shown]: Show<Type> } = {
  decision: (props, decision) => <DecisionRecord {...props} decision={decision} />,
  question: (props, question) => <Question {...props} question={question} />,
  intervention: (props, item) => <InterventionItem {...props} item={item} canWithdraw={false} />,
  action: (props, action) => <ActionItem {...props} action={action} />,
  finding: (props, finding, context) => (
    <FindingItem {...props} finding={finding} partId={context?.contract?.part_id} />
  ),
  hold: (props, hold) => <HoldItem {...props} hold={hold} />,
  followup: (_, followup) => <FollowupItem followup={followup} />,
  recommendation: (props, recommendation) => <RecommendationItem {...props} recommendation={recommendation} />,
};

const isShown = (type: string | undefined): type is Shown => type !== undefined && type in SHOWN;

/** Shows a record in full, with the same buttons as in its list. If the session has no such record, shows a message. */
export function RecordDetails(props: RecordDetailsProps) {
  const type = recordTypeOf(props.id);
  return isShown(type) ? <Loaded {...props} type={type} /> : <Defect {...props} />;
}

/** Reads a record in full. Reads it again when the session changes. */
function Loaded<Type extends Shown>({ type, ...props }: RecordDetailsProps & { readonly type: Type }) {
  const { live, view, id } = props;
  const { record, context, error } = useRecord(live.sessionId, type, id, live.version.value);
  if (record)
    return (
      <>
        <ul class="plain findings quotes">{SHOWN[type](props, record, context)}</ul>
        {context && <RecordContext view={view} context={context} />}
        <MadeIn live={live} id={id} />
      </>
    );
  if (error?.code === 'UNKNOWN_RECORD') return <Unknown id={id} />;
  return <Pending error={error} />;
}

interface QuestionProps extends RecordDetailsProps {
  readonly question: SessionView['questions'][number];
}

function Question({ live, view, question }: QuestionProps) {
  if (question.to !== 'owner' || question.answer !== null) return <QuestionItem view={view} question={question} />;
  return (
    <li>
      <OwnersQuestion live={live} view={view} question={question} canAnswer={view.state.status !== 'ENDED'} />
    </li>
  );
}

/** The code of `ScenarioItem` is loaded when the first defect is opened. */
const Scenario = lazy(async () => (await import('../verify/scenario-item.tsx')).ScenarioItem);

/** Shows a defect with what was said about it and, folded, all attempts of its scenario. */
function Defect({ live, view, id }: RecordDetailsProps) {
  const hasAll = useAllEvents(live);
  const { value: board, error } = useCall('board', { session_id: live.sessionId }, live.version.value);
  if (!board) return <Pending error={error} />;
  const defect = board.defects.find(({ defect_id }) => defect_id === id);
  if (!defect) return <Unknown id={id} />;
  const scenario = board.scenarios.find(({ scenario_id }) => scenario_id === defect.scenario_id);
  return (
    <>
      <ul class="plain findings quotes">
        <DefectItem live={live} view={view} defect={defect} isUnfolded />
      </ul>
      {hasAll && scenario && (
        <details>
          <summary>{`All attempts of ${visible(scenario.scenario_id)}`}</summary>
          <ul class="scenarios quotes">
            <Scenario scenario={scenario} events={live.events.value} />
          </ul>
        </details>
      )}
      <MadeIn live={live} id={id} />
    </>
  );
}

function Unknown({ id }: { readonly id: string }) {
  return (
    <p class="failure" role="alert">
      {`There is no ${id} in this session. Check the id in the address.`}
    </p>
  );
}

interface RecordPanelProps extends Omit<SessionDialogProps, 'view'> {
  readonly id: string;
}

/** The side panel that shows a record of the session or a part of the contract. */
export function RecordPanel({ live, id, onClose }: RecordPanelProps) {
  const part = shownParts.value.get(id);
  const view = live.view.value;
  if (!view) return null;
  return (
    <SidePanel
      title={[part?.kind ?? recordTypeOf(id), id].filter(Boolean).join(' ')}
      of={id}
      onClose={onClose}
      controls={
        earlierId.value !== null && (
          <button type="button" class="quiet" onClick={backToEarlier}>
            ← {earlierId.value}
          </button>
        )
      }
    >
      {part ? <PartDetails view={view} part={part} /> : <RecordDetails key={id} live={live} view={view} id={id} />}
    </SidePanel>
  );
}

/** Shows a part of the contract, with a link to this part in the whole contract. */
function PartDetails({ view, part }: { readonly view: SessionView; readonly part: ContractPart }) {
  return (
    <div class="part">
      {part.kind !== 'requirement' && <LinkedText in="h3" text={part.title} />}
      <PartBody view={view} part={part} />
      <p>
        <Link to={`${toSession(view.session_id, 'contract')}#part-${part.id}`} onFollow={closeSheet}>
          Show this part in the contract
        </Link>
      </p>
    </div>
  );
}
