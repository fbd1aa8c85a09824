import type { ComponentChildren } from 'preact';
import { visible } from '../../../../src/text/visible.ts';
import type { RecordsAnswer, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { lazy } from '../../ui/requests/lazy.tsx';
import { useCall } from '../../ui/requests/use-read.ts';
import { type RecordOf, type RecordType, useRecord } from '../../ui/requests/use-record.ts';
import { FindingItem } from '../contract/finding-item.tsx';
import { ActionItem } from '../interventions/actions.tsx';
import { InterventionItem } from '../interventions/panel.tsx';
import { OwnersQuestion, QuestionItem } from '../interventions/questions.tsx';
import { HoldItem } from '../people/holds-panel.tsx';
import { RecommendationItem } from '../people/recommendations-panel.tsx';
import { useAllEvents } from '../use-all-events.ts';
import { DefectItem } from '../verify/defects-panel.tsx';
import { DecisionRecord } from './decision-record.tsx';
import { MadeIn } from './made-in.tsx';
import { RecordContext } from './record-context.tsx';
import '../../styles/contract.css';

interface RecordDetailsProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly id: string;
}

/** Shows a record in full, with the same buttons as in its list. If the session has no such record, shows a message. */
export function RecordDetails(props: RecordDetailsProps) {
  const { id } = props;
  switch (id.slice(0, id.indexOf('_'))) {
    case 'd':
      return (
        <Loaded {...props} type="decision" show={(decision) => <DecisionRecord {...props} decision={decision} />} />
      );
    case 'q':
      return <Loaded {...props} type="question" show={(question) => <Question {...props} question={question} />} />;
    case 'i':
      return (
        <Loaded
          {...props}
          type="intervention"
          show={(item) => <InterventionItem {...props} item={item} canWithdraw={false} />}
        />
      );
    case 'act':
      return <Loaded {...props} type="action" show={(action) => <ActionItem {...props} action={action} />} />;
    case 'f':
      return (
        <Loaded
          {...props}
          type="finding"
          show={(finding, context) => <FindingItem {...props} finding={finding} partId={context?.contract?.part_id} />}
        />
      );
    case 'h':
      return <Loaded {...props} type="hold" show={(hold) => <HoldItem {...props} hold={hold} />} />;
    case 'rec':
      return (
        <Loaded
          {...props}
          type="recommendation"
          show={(recommendation) => <RecommendationItem {...props} recommendation={recommendation} />}
        />
      );
    default:
      return <Defect {...props} />;
  }
}

interface LoadedProps<Type extends RecordType> extends RecordDetailsProps {
  readonly type: Type;
  readonly show: (record: RecordOf<Type>, context: RecordsAnswer['context']) => ComponentChildren;
}

/** Reads a record in full. Reads it again when the session changes. */
function Loaded<Type extends RecordType>({ live, view, id, type, show }: LoadedProps<Type>) {
  const { record, context, error } = useRecord(live.sessionId, type, id, live.version.value);
  if (record)
    return (
      <>
        <ul class="plain findings">{show(record, context)}</ul>
        {context && <RecordContext view={view} context={context} />}
        <MadeIn live={live} id={id} />
      </>
    );
  if (error?.code === 'UNKNOWN_RECORD') return <Unknown id={id} />;
  return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
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
  if (!board) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  const defect = board.defects.find(({ defect_id }) => defect_id === id);
  if (!defect) return <Unknown id={id} />;
  const scenario = board.scenarios.find(({ scenario_id }) => scenario_id === defect.scenario_id);
  return (
    <>
      <ul class="plain findings">
        <DefectItem live={live} view={view} defect={defect} isUnfolded />
      </ul>
      {hasAll && scenario && (
        <details>
          <summary>{`All attempts of ${visible(scenario.scenario_id)}`}</summary>
          <ul class="scenarios">
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
