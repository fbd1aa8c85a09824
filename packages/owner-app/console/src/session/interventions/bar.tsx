import { ADDED_ROUNDS, plural } from '@parley/core/text';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { agentName } from '../../../../src/text/agent.ts';
import type { SessionView } from '../../api/answers.ts';
import { sendDraft, textDraft } from '../../api/drafts.ts';
import type { SessionDialogProps, SessionProps } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { goToElement, useFragment } from '../../ui/controls/browser.ts';
import { ArmedButton, ConfirmButton, DialogButton } from '../../ui/controls/buttons.tsx';
import { Dialog, DialogFoot, FormDialog } from '../../ui/controls/dialog.tsx';
import { bound, Choice, Field, formDraft, Tick } from '../../ui/controls/form.tsx';
import { type Seen, seenOf, useAction } from '../../ui/requests.tsx';
import { Role, roleName, SafeText } from '../../ui/text/shown.tsx';
import { OperationButton } from '../operation-dialog.tsx';
import { DIALOG_OPERATIONS, OWNER_BUTTONS } from '../owner-buttons.ts';
import { nameIn } from '../record-text.tsx';
import { callFor, type Draft, EMPTY_DRAFT, isBeforeFirstTurn, isOutOfRounds } from '../records.ts';

function AssignDialog({ live, view, onClose }: SessionDialogProps) {
  const target = useSignal<SessionView['access'][number]['role']>('agent_a');
  const place = { sessionId: live.sessionId, record: 'session', form: 'assign' };
  const text = textDraft(place);
  const hasModerator = view.access.some(({ role, token }) => role === 'moderator' && token !== null);
  const agents = view.agents.map(({ role }) => [role, roleName(role)] as const);
  const assign = () => live.act('assignAction', { target: target.value, text: text.value });
  return (
    <FormDialog
      title="Assign an action"
      confirm="Assign"
      isFilled={text.value.trim() !== ''}
      onSend={() => sendDraft(place, assign)}
      onClose={onClose}
    >
      <Choice
        label="To"
        {...bound(target)}
        options={hasModerator ? [...agents, ['moderator', roleName('moderator')]] : agents}
      />
      <Field
        label="What to do"
        hint="The task stays among the actions of the agent until the agent completes it."
        rows={4}
        required
        {...bound(text)}
      />
    </FormDialog>
  );
}

const PRIORITIES = [
  ['LOW', 'Low'],
  ['NORMAL', 'Normal'],
  ['HIGH', 'High'],
  ['URGENT', 'Urgent'],
] as const;

/** The dialog for a question or a directive to one or both agents. */
function ComposeDialog({ live, view, onClose }: SessionDialogProps) {
  // The entered text and options are kept when the dialog is closed or the page is reloaded.
  const draft = formDraft({ sessionId: live.sessionId, record: 'session', form: 'say' }, EMPTY_DRAFT);
  const { type, targets, text, blocking, priority } = draft.value;
  const change = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part };
  };
  const send = async (): Promise<void> => {
    const call = callFor(draft.value);
    await (call.operation === 'ask' ? live.act('ask', call.input) : live.act('direct', call.input));
    draft.value = EMPTY_DRAFT;
  };
  const isQuestion = type === 'QUESTION';
  return (
    <FormDialog
      title="Ask or direct the agents"
      confirm={isQuestion ? 'Ask' : 'Direct'}
      isFilled={targets.length > 0 && text.trim() !== ''}
      onSend={send}
      onClose={onClose}
    >
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
            value={targets.includes(role)}
            onChange={(checked) =>
              change({ targets: checked ? [...targets, role].toSorted() : targets.filter((other) => other !== role) })
            }
          >
            <SafeText text={agentName(role, name)} />
          </Tick>
        ))}
      </fieldset>
      <Field label="Text" rows={5} required value={text} onChange={(value) => change({ text: value })} />
      <Choice
        label="Priority"
        value={priority}
        options={PRIORITIES}
        onChange={(value) => change({ priority: PRIORITIES.find(([known]) => known === value)?.[0] ?? 'NORMAL' })}
      />
      {isQuestion ? (
        <Tick value={blocking} onChange={(checked) => change({ blocking: checked })}>
          The contract cannot be certified before all chosen agents have answered
        </Tick>
      ) : (
        <p class="hint">The contract cannot be certified before all chosen agents have acknowledged the directive.</p>
      )}
    </FormDialog>
  );
}

const REASONS = [
  ['COMPLETED', 'Completed: everything was built as planned'],
  ['CANCELLED', 'Cancelled: the change will not be built'],
] as const;

/** The dialog that ends the session. It asks for confirmation, because an ended session cannot be opened again. */
export function EndDialog({ live, view, onClose }: SessionDialogProps) {
  const reason = useSignal<'COMPLETED' | 'CANCELLED'>(
    view.state.authorizations.activation_authorized ? 'COMPLETED' : 'CANCELLED',
  );
  const place = { sessionId: live.sessionId, record: 'session', form: 'end' };
  const note = textDraft(place);
  const isAskedAgain = useSignal(false);
  const action = useAction();
  const ask = (value: boolean): void => {
    action.clear();
    isAskedAgain.value = value;
  };
  const end = async (): Promise<void> => {
    const input = { end_reason: reason.value, ...(note.value.trim() === '' ? {} : { note: note.value }) };
    if (await action.run(() => sendDraft(place, () => live.act('end', input)))) onClose();
  };
  if (isAskedAgain.value)
    return (
      <Dialog title="End the session for good?" onClose={onClose}>
        <div class="stack">
          <p>
            <SafeText in="b" text={view.title} /> ends as {reason.value}. No agent can write to it again and it cannot
            be resumed. It can still be read, exported and erased.
          </p>
          <DialogFoot error={action.error} leave="Back" onLeave={() => ask(false)}>
            <ArmedButton class="danger" disabled={action.isBusy} onConfirm={() => void end()}>
              Yes, end it for good
            </ArmedButton>
          </DialogFoot>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="End the session" of={view.title} onClose={onClose}>
      <div class="stack">
        <Choice label="Outcome" {...bound(reason)} options={REASONS} />
        <Field label="Note" hint="Both agents can read the note. You can leave it empty." rows={3} {...bound(note)} />
        <DialogFoot error={null} leave="Keep the session" onLeave={onClose}>
          <button type="button" class="danger" onClick={() => ask(true)}>
            End…
          </button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

export function RoundsDialog({ live, view, onClose }: SessionDialogProps) {
  const rounds = useSignal(String(ADDED_ROUNDS));
  const count = Number(rounds.value);
  const isCount = Number.isInteger(count) && count > 0;
  return (
    <FormDialog
      title="Add rounds"
      of={view.title}
      confirm={isCount ? `Add ${plural(count, 'round')}` : 'Add rounds'}
      isFilled={isCount}
      onSend={() => live.act('extendRounds', { rounds: count })}
      onClose={onClose}
    >
      <Field
        label="Rounds to add"
        hint={
          isCount
            ? `The session then has ${view.state.round_limit + count} rounds. A round is one turn of each agent.`
            : 'Enter a whole number above 0.'
        }
        type="number"
        required
        value={rounds.value}
        onChange={(value) => {
          rounds.value = value.trim();
        }}
      />
    </FormDialog>
  );
}

/** The buttons for operations that the owner can call at any time. The task above the tabs resumes a paused session. */
export function InterventionsBar({ live, view }: SessionProps) {
  const { status, round_limit } = view.state;
  if (status === 'ENDED') return null;
  return (
    <section class="bar" aria-label="What you can do">
      {isOutOfRounds(view.state) && (
        <p class="short-of-rounds">{`All ${round_limit} rounds are used, so no agent can post a turn. To let them post more turns, add rounds.`}</p>
      )}
      <div class="buttons">
        <DialogButton label="Ask or direct…">
          {(onClose) => <ComposeDialog {...{ live, view, onClose }} />}
        </DialogButton>
        <DialogButton label="Assign…">{(onClose) => <AssignDialog {...{ live, view, onClose }} />}</DialogButton>
        <DialogButton label="Add rounds…">{(onClose) => <RoundsDialog {...{ live, view, onClose }} />}</DialogButton>
        {isBeforeFirstTurn(view.state) && <OtherBegins live={live} view={view} />}
        {DIALOG_OPERATIONS.map((operation) => {
          const { button = '', needs, offered = [] } = OWNER_BUTTONS[operation];
          const shown = { label: button, needs, isOffered: offered.includes(status) };
          return <OperationButton key={operation} {...shown} live={live} operation={operation} />;
        })}
        <DialogButton label="End…" class="danger">
          {(onClose) => <EndDialog {...{ live, view, onClose }} />}
        </DialogButton>
      </div>
    </section>
  );
}

/** Lets the builder begin that does not have the first turn. */
function OtherBegins({ live, view }: SessionProps) {
  const other = view.agents.find(({ role }) => role !== view.first_turn);
  if (!other) return null;
  const name = nameIn(view, other.role);
  return (
    <ConfirmButton
      label={`Let ${name} begin…`}
      question={`${nameIn(view, view.first_turn)} has the first turn and has not posted it. Let ${name} begin?`}
      yes={`Yes, let ${name} begin`}
      onConfirm={() => live.act('start', { first_turn: other.role })}
    />
  );
}

/** Shows the election of the Contract Author, and lets the owner appoint one. */
export function AuthorPanel({ live, view }: SessionProps) {
  const { nominations, contract_author, technical_reviewer, phase, status } = view.state;
  useFragment(true, /^author-head$/, goToElement);
  const seen = useRef<Seen | undefined>(undefined);
  const canAppoint = status !== 'ENDED' && (phase === 'PLANNING' || phase === 'CONTRACT');
  return (
    <Card head="author-head" title="Contract Author">
      {contract_author ? (
        <p>
          <Role of={contract_author} name={nameIn(view, contract_author)} /> writes the contract,{' '}
          {technical_reviewer && <Role of={technical_reviewer} name={nameIn(view, technical_reviewer)} />} reviews it.
        </p>
      ) : (
        <p class="muted">The Contract Author is elected when both agents name the same agent.</p>
      )}
      <ul class="plain">
        {nominations.map(({ by, candidate, reason }) => (
          <li key={by} class="record">
            <p>
              <Role of={by} name={nameIn(view, by)} /> names <Role of={candidate} name={nameIn(view, candidate)} />
            </p>
            <SafeText in="p" class="reply" text={reason} />
          </li>
        ))}
      </ul>
      {canAppoint &&
        view.agents
          .filter(({ role }) => role !== contract_author)
          .map(({ role }) => (
            <ConfirmButton
              key={role}
              label={`Appoint ${roleName(role)}`}
              question={`Appoint ${roleName(role)} as Contract Author? The nominations of the agents are then ignored.`}
              onAsk={() => {
                seen.current = seenOf(view);
              }}
              onConfirm={() => live.act('appointAuthor', { candidate: role, ...seen.current })}
            />
          ))}
    </Card>
  );
}
