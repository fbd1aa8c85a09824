import type { SessionView } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/controls/buttons.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { nameIn, RecordText } from '../record-text.tsx';
import { dueActions, type Intervention, sortInterventions } from '../records.ts';

/** The questions and directives of the owner and the moderator, with the answers to them. */
export function InterventionsPanel({ live, view }: SessionProps) {
  const { open, past } = sortInterventions(view.interventions);
  const isOver = view.state.status === 'ENDED';
  return (
    <Card head="spoken-head" title="Interventions">
      {open.length === 0 && <p class="muted">No question waits for an agent, and no directive is in force.</p>}
      <ul class="plain">
        {open.map((item) => (
          <InterventionItem key={item.intervention_id} live={live} view={view} item={item} canWithdraw={!isOver} />
        ))}
      </ul>
      {past.length > 0 && (
        <details>
          <summary>{`Closed questions and directives: ${past.length}`}</summary>
          <ul class="plain">
            {past.map((item) => (
              <InterventionItem key={item.intervention_id} live={live} view={view} item={item} canWithdraw={false} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

interface InterventionItemProps extends SessionProps {
  readonly item: Intervention;
  readonly canWithdraw: boolean;
}

export function InterventionItem({ live, view, item, canWithdraw }: InterventionItemProps) {
  const { intervention_id, from, type, text, priority, blocking, responses, opened_at } = item;
  return (
    <li class="record">
      <p class="record-head">
        <IdLink id={intervention_id} />
        <span>
          {from === 'owner' ? 'The owner' : <Role of={from} name={nameIn(view, from)} />}
          {type === 'DIRECTIVE' ? ' directs' : ' asks'}
        </span>
        {priority !== 'NORMAL' && <Badge tone={priority === 'LOW' ? 'plain' : 'warn'}>{priority}</Badge>}
        {blocking && type === 'QUESTION' && <Badge tone="warn">blocks</Badge>}
        <span class="muted">
          <When at={opened_at} />
        </span>
      </p>
      <RecordText view={view} type="intervention" id={intervention_id} record={{ text }} />
      <ul class="plain responses">
        {responses.map((response) => (
          <li key={response.role}>
            <Role of={response.role} name={nameIn(view, response.role)} />{' '}
            <Badge tone={response.status === 'ANSWERED' ? 'good' : response.status === 'OPEN' ? 'warn' : 'plain'}>
              {response.status}
            </Badge>
            {response.text !== null && <SafeText in="p" class="reply" text={response.text} />}
          </li>
        ))}
      </ul>
      {canWithdraw && from === 'owner' && (
        <ConfirmButton
          label="Withdraw"
          question={`Withdraw ${intervention_id}? No agent has to answer it or follow it any more.`}
          onConfirm={() => live.act('withdrawIntervention', { intervention_id })}
        />
      )}
    </li>
  );
}

/**
 * The open actions of agents: the actions that Parley derives from the state, and the actions that the owner has
 * assigned.
 */
export function ActionsPanel({ view }: { readonly view: SessionView }) {
  const due = dueActions(view.actions);
  return (
    <Card head="actions-head" title="Actions due" note={<span class="muted">{due.length || ''}</span>}>
      {due.length === 0 && <p class="muted">No agent has an open action.</p>}
      <ul class="plain">
        {due.map((action) => (
          <ActionItem key={action.action_id} view={view} action={action} />
        ))}
      </ul>
    </Card>
  );
}

interface ActionItemProps {
  readonly view: SessionView;
  readonly action: SessionView['actions'][number];
}

export function ActionItem({ view, action: { action_id, type, text, status, due_to } }: ActionItemProps) {
  return (
    <li class="record">
      <p class="record-head">
        <IdLink id={action_id} />
        <Role of={due_to} name={nameIn(view, due_to)} />
        <Badge>{type === 'OWNER_TASK' ? 'assigned by you' : type}</Badge>
        <Badge tone={status === 'PENDING' ? 'warn' : 'live'}>{status}</Badge>
      </p>
      <SafeText in="p" text={text} />
    </li>
  );
}
