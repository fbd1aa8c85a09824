import { plural } from '@parley/core/text';
import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Folded, MarkedChange } from '../../ui/text/marks.tsx';
import { Badge, Note, Role, SafeText } from '../../ui/text/shown.tsx';
import { AuthorPanel, InterventionsBar } from '../interventions/bar.tsx';
import { ActionsPanel, InterventionsPanel } from '../interventions/panel.tsx';
import { QuestionsPanel } from '../interventions/questions.tsx';
import { DECISION_TONES, DecisionStatus, nameIn, RecordText } from '../record-text.tsx';
import { type Chain, chainsOf } from '../records.ts';

/** If a decision's position has more characters than this, it is folded. */
const LONG_CHARS = 400;

/** Number of chains of decisions that are shown at first. *Show more* adds the same number of chains. */
const PAGE = 12;

/** Shows the decisions by topic: the latest decision, and the decisions that it has superseded. */
export function DecisionsPanel({ view }: { readonly view: SessionView }) {
  const shown = useSignal(PAGE);
  const chains = chainsOf(view.decisions);
  const open = chains.filter(({ decision }) => decision.status === 'PROPOSED').length;
  return (
    <Card
      head="decisions-head"
      title="Decisions"
      note={<span class="muted">{chains.length === 0 ? '' : `${open} open, ${chains.length} in all`}</span>}
    >
      {chains.length === 0 && <p class="muted">No agent has taken a position yet.</p>}
      <ul class="plain">
        {chains.slice(0, shown.value).map((chain) => (
          <DecisionItem key={chain.decision.decision_id} view={view} chain={chain} />
        ))}
      </ul>
      {chains.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += PAGE;
          }}
        >
          {`Show more of ${chains.length}`}
        </button>
      )}
    </Card>
  );
}

function DecisionItem({ view, chain: { decision, earlier } }: { readonly view: SessionView; readonly chain: Chain }) {
  const { decision_id, topic, status, reason } = decision;
  return (
    <li class="record">
      <p class="record-head">
        <IdLink id={decision_id} />
        <SafeText in="b" text={topic} />
        <Badge tone={DECISION_TONES[status]}>{status}</Badge>
      </p>
      <Folded isLong={(decision.position ?? '').length > LONG_CHARS} of={decision_id}>
        <RecordText view={view} type="decision" id={decision_id} record={decision} />
      </Folded>
      {decision.changes && (
        <details>
          <summary>{`What differs from ${decision.supersedes}`}</summary>
          <MarkedChange words={decision.changes} />
        </details>
      )}
      <Note label="because" text={reason} />
      <DecisionStatus view={view} decision={decision} />
      {earlier.length > 0 && (
        <details>
          <summary>{plural(earlier.length, 'earlier position')}</summary>
          <ul class="plain">
            {earlier.map((old) => (
              <li key={old.decision_id}>
                <IdLink id={old.decision_id} />{' '}
                <span class="muted">
                  by <Role of={old.proposed_by} name={nameIn(view, old.proposed_by)} />
                  {old.accepted_by.length > 0 && ', was accepted by '}
                  {old.accepted_by.map((role, index) => (
                    <span key={role}>
                      {index > 0 && ' and '}
                      <Role of={role} name={nameIn(view, role)} />
                    </span>
                  ))}
                </span>
                <RecordText view={view} type="decision" id={old.decision_id} record={old} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** The panels beside the messages: what the owner can do, and the open records. */
export function Beside({ live, view }: SessionProps) {
  return (
    <>
      <InterventionsBar live={live} view={view} />
      <QuestionsPanel live={live} view={view} />
      <InterventionsPanel live={live} view={view} />
      <DecisionsPanel view={view} />
      <AuthorPanel live={live} view={view} />
      <ActionsPanel view={view} />
    </>
  );
}
