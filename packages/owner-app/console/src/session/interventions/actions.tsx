import type { SessionView } from '../../api/types.ts';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, Role, SafeText } from '../../ui/text/shown.tsx';
import { nameIn } from './names.ts';
import { dueActions } from './rules.ts';

/**
 * The open actions of agents: the actions that Parley derives from the state, and the actions that the owner has
 * assigned.
 */
export function ActionsPanel({ view }: { readonly view: SessionView }) {
  const due = dueActions(view.actions);
  return (
    <section class="card" aria-labelledby="actions-head">
      <h2 id="actions-head">
        Actions due <span class="muted">{due.length || ''}</span>
      </h2>
      {due.length === 0 && <p class="muted">No agent has an open action.</p>}
      <ul class="plain">
        {due.map((action) => (
          <ActionItem key={action.action_id} view={view} action={action} />
        ))}
      </ul>
    </section>
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
      <p>
        <SafeText text={text} />
      </p>
    </li>
  );
}
