import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import { Badge, Role, SafeText } from '../../ui/shown.tsx';
import { nameIn } from '../interventions/names.ts';
import { RecordText } from '../record-text.tsx';
import { type Chain, chainsOf, type Decision } from './decisions-chains.ts';

/** Number of chains shown before the user presses "more". */
const PAGE = 12;

/** Shows the decisions, one chain for each topic. */
export function DecisionsPanel({ view }: { readonly view: SessionView }) {
  const shown = useSignal(PAGE);
  const chains = chainsOf(view.decisions);
  const open = chains.filter(({ decision }) => decision.status === 'PROPOSED').length;
  return (
    <section class="card" aria-labelledby="decisions-head">
      <h2 id="decisions-head">
        Decisions <span class="muted">{chains.length === 0 ? '' : `${open} open, ${chains.length} in all`}</span>
      </h2>
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
    </section>
  );
}

const TONES = {
  PROPOSED: 'warn',
  RESOLVED: 'good',
  WITHDRAWN: 'plain',
  REJECTED: 'bad',
  SUPERSEDED: 'plain',
} as const;

function DecisionItem({ view, chain: { decision, earlier } }: { readonly view: SessionView; readonly chain: Chain }) {
  const { decision_id, topic, status, reason } = decision;
  return (
    <li class="record">
      <p class="record-head">
        <code>{decision_id}</code>
        <b>
          <SafeText text={topic} />
        </b>
        <Badge tone={TONES[status]}>{status}</Badge>
      </p>
      <RecordText view={view} type="decision" id={decision_id} text={decision.position} />
      {reason && (
        <p class="muted">
          because <SafeText text={reason} />
        </p>
      )}
      <DecisionStatus view={view} decision={decision} />
      {earlier.length > 0 && (
        <details>
          <summary>{`${earlier.length} earlier position${earlier.length === 1 ? '' : 's'}`}</summary>
          <ul class="plain">
            {earlier.map((old) => (
              <li key={old.decision_id}>
                <code>{old.decision_id}</code>{' '}
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
                <RecordText view={view} type="decision" id={old.decision_id} text={old.position} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Shows the proposer of a decision and the builders that accepted it. */
function DecisionStatus({ view, decision }: { readonly view: SessionView; readonly decision: Decision }) {
  return (
    <p class="facts">
      <span>
        by <Role of={decision.proposed_by} name={nameIn(view, decision.proposed_by)} />
      </span>
      {(['agent_a', 'agent_b'] as const).map((role) => {
        const hasAccepted = decision.accepted_by.includes(role);
        return (
          <span key={role} class={hasAccepted ? 'accepted' : 'not-accepted'}>
            {hasAccepted ? '✓ ' : '○ '}
            {hasAccepted ? 'accepted by' : 'not yet'} <Role of={role} name={nameIn(view, role)} />
          </span>
        );
      })}
    </p>
  );
}
