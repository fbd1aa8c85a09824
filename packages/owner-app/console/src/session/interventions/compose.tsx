import { agentName } from '../../../../src/text/agent.ts';
import type { SessionView } from '../../api/types.ts';
import type { FormDraft } from '../../state/form-draft.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { Choice, Field, Tick } from '../../ui/controls/field.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { SafeText } from '../../ui/text/shown.tsx';
import { callFor, type Draft, EMPTY_DRAFT } from './rules.ts';

interface ComposeDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  /** The entered text and options. They are kept when the dialog is closed or the page is reloaded. */
  readonly draft: FormDraft<Draft>;
  readonly onClose: () => void;
}

const PRIORITIES = [
  ['LOW', 'Low'],
  ['NORMAL', 'Normal'],
  ['HIGH', 'High'],
  ['URGENT', 'Urgent'],
] as const;

/** The dialog for a question or a directive to one or both agents. */
export function ComposeDialog({ live, view, draft, onClose }: ComposeDialogProps) {
  const action = useAction();
  const { type, targets, text, blocking, priority } = draft.value;
  const change = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part };
  };
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const call = callFor(draft.value);
    const act = () => (call.operation === 'ask' ? live.act('ask', call.input) : live.act('direct', call.input));
    if (!(await action.run(act))) return;
    draft.value = EMPTY_DRAFT;
    onClose();
  };
  const isQuestion = type === 'QUESTION';
  return (
    <Dialog title="Ask or direct the agents" onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <Choice
          label="What"
          value={type}
          options={[
            ['QUESTION', 'A question, which the agents answer'],
            ['DIRECTIVE', 'A directive, which binds the agents until you withdraw it'],
          ]}
          onChange={(value) => change({ type: value === 'DIRECTIVE' ? 'DIRECTIVE' : 'QUESTION' })}
        />
        <fieldset class="ticks">
          <legend>To</legend>
          {view.agents.map(({ role, name }) => (
            <Tick
              key={role}
              checked={targets.includes(role)}
              onChange={(checked) =>
                change({ targets: checked ? [...targets, role].toSorted() : targets.filter((other) => other !== role) })
              }
            >
              <SafeText text={agentName(role, name)} />
            </Tick>
          ))}
        </fieldset>
        <Field label="Text" rows={5} required value={text} onInput={(value) => change({ text: value })} />
        <Choice
          label="Priority"
          value={priority}
          options={PRIORITIES}
          onChange={(value) => change({ priority: PRIORITIES.find(([known]) => known === value)?.[0] ?? 'NORMAL' })}
        />
        {isQuestion ? (
          <Tick checked={blocking} onChange={(checked) => change({ blocking: checked })}>
            The contract cannot be certified before all chosen agents have answered
          </Tick>
        ) : (
          <p class="hint">The contract cannot be certified before all chosen agents have acknowledged the directive.</p>
        )}
        <DialogFoot error={action.error} onLeave={onClose}>
          <button type="submit" class="primary" disabled={action.isBusy || targets.length === 0 || text.trim() === ''}>
            {isQuestion ? 'Ask' : 'Direct'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
