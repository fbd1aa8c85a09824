import type { OwnerInput } from '@parley/core/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { placeholdersIn } from '../../../src/text/templates/placeholders.ts';
import { visible } from '../../../src/text/visible.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { formDraft } from '../state/form-draft.ts';
import { readInbox } from '../state/inbox.ts';
import { go, search, toInbox, toSession } from '../state/route.ts';
import { Choice, Field } from '../ui/controls/field.tsx';
import { WriteButton } from '../ui/controls/write-button.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { Link } from '../ui/text/link.tsx';
import { EditableList, type ListLine } from './editable-list.tsx';
import { AgendaFields } from './new-session-agenda.tsx';
import { FileStart } from './new-session-file-start.tsx';
import {
  addGuardrail,
  addRequirement,
  EMPTY_FORM,
  type FormPart,
  fieldNames,
  inputOf,
  issuesIn,
  NO_ISSUES,
  placeIssues,
  type Requirement,
  type SessionForm,
  tidied,
} from './new-session-form.ts';
import { GroupFields } from './new-session-group.tsx';
import '../styles/new-session.css';

const ROLES = [
  ['agent_a', 'Agent A', 'repository-a', 'service-a'],
  ['agent_b', 'Agent B', 'repository-b', 'service-b'],
] as const;

export function AgentFields({ form, change, errorAt }: FormPart) {
  return (
    <section class="card stack" aria-labelledby="agents-head">
      <h2 id="agents-head">Agents</h2>
      <div class="pair">
        {ROLES.map(([role, title, repository, service]) => {
          const agent = form.agents[role];
          const set = (part: Partial<typeof agent>): void =>
            change({ agents: { ...form.agents, [role]: { ...agent, ...part } } });
          const path = `agents.${role}`;
          return (
            <fieldset key={role} class="agent">
              <legend>{title}</legend>
              <Field
                label="Name"
                name={`${path}.name`}
                placeholder={title}
                value={agent.name}
                error={errorAt(`${path}.name`)}
                onChange={(name) => set({ name })}
              />
              <Field
                label="Repository"
                name={`${path}.repository`}
                placeholder={repository}
                value={agent.repository}
                error={errorAt(`${path}.repository`)}
                onChange={(value) => set({ repository: value })}
              />
              <Field
                label="Service"
                name={`${path}.service`}
                placeholder={service}
                value={agent.service}
                error={errorAt(`${path}.service`)}
                onChange={(value) => set({ service: value })}
              />
            </fieldset>
          );
        })}
      </div>
    </section>
  );
}

/** The fields for rounds, first turn, test data and the policy for credentials. */
export function TermFields({ form, change, errorAt }: FormPart) {
  return (
    <section class="card stack" aria-labelledby="terms-head">
      <h2 id="terms-head">Terms</h2>
      <div class="pair">
        <Field
          label="Rounds"
          hint="1 to 100; a round is one turn of each agent. You can add rounds later."
          name="round_limit"
          type="number"
          value={form.roundLimit}
          error={errorAt('round_limit')}
          onChange={(value) => change({ roundLimit: value.replace(/\D/g, '') })}
        />
        <Choice
          label="First turn"
          value={form.firstTurn}
          options={ROLES.map(([role, title]) => [role, visible(form.agents[role].name.trim()) || title] as const)}
          onChange={(firstTurn) => change({ firstTurn })}
        />
        <Field
          label="Fixture version"
          hint="The version of the test data that both sides use."
          name="fixture_version"
          value={form.fixtureVersion}
          error={errorAt('fixture_version')}
          onChange={(fixtureVersion) => change({ fixtureVersion })}
        />
        <Field
          label="Environment"
          hint="The environment in which the agents verify, such as a staging system; never production."
          name="environment"
          value={form.environment}
          error={errorAt('environment')}
          onChange={(environment) => change({ environment })}
        />
        <Choice
          label="When an agent posts a credential"
          value={form.secretPolicy}
          options={[
            ['refuse', 'Refuse it: nothing is stored'],
            ['warn', 'Store it, and warn the agent'],
          ]}
          onChange={(secretPolicy) => change({ secretPolicy })}
        />
        <Choice
          label="How many people must approve"
          hint="Applies to the contract, the deployment and the activation."
          value={form.requiredApprovals}
          options={[
            ['1', 'One person'],
            ['2', 'Two people, each with a key of their own'],
          ]}
          onChange={(requiredApprovals) => change({ requiredApprovals })}
        />
      </div>
    </section>
  );
}

export function Requirements({ form, change, errorAt }: FormPart) {
  return (
    <section class="card stack" aria-labelledby="requirements-head">
      <h2 id="requirements-head">Requirements</h2>
      <p class="hint">The contract maps each requirement to a task, a test or a gate. Name at least one requirement.</p>
      {errorAt('requirements') && (
        <p class="field-error" role="alert">
          {errorAt('requirements')}
        </p>
      )}
      <EditableList
        class="lines"
        focus="textarea"
        items={form.requirements}
        onChange={(requirements) => change({ requirements })}
        onAdd={() => change(addRequirement(form))}
        addLabel="Add a requirement"
      >
        {(line) => <RequirementFields {...line} errorAt={errorAt} />}
      </EditableList>
    </section>
  );
}

interface RequirementProps extends ListLine<Requirement> {
  readonly errorAt: FormPart['errorAt'];
}

function RequirementFields({ item, index, count, errorAt, ...on }: RequirementProps) {
  const { id, text, criteria = '' } = item;
  const path = `requirements[${index}]`;
  return (
    <>
      <Field
        label="Id"
        name={`${path}.requirement_id`}
        value={id}
        required
        error={errorAt(`${path}.requirement_id`)}
        onChange={(value) => on.onChange({ id: value })}
      />
      <Field
        label="What must hold"
        name={`${path}.text`}
        rows={2}
        value={text}
        required
        error={errorAt(`${path}.text`)}
        onChange={(value) => on.onChange({ text: value })}
      />
      <Field
        label={`Accepted when (${id})`}
        hint="Optional. Write one criterion on each line, and indent further lines of it. The requirement is met when all criteria are true."
        name={`${path}.acceptance_criteria`}
        rows={2}
        value={criteria}
        error={errorAt(`${path}.acceptance_criteria`)}
        onChange={(value) => on.onChange({ criteria: value })}
      />
      <div class="buttons">
        <button
          type="button"
          class="move up"
          aria-label={`Move ${id} up`}
          disabled={index === 0}
          onClick={() => on.onMove(-1)}
        >
          ↑
        </button>
        <button
          type="button"
          class="move down"
          aria-label={`Move ${id} down`}
          disabled={index === count - 1}
          onClick={() => on.onMove(1)}
        >
          ↓
        </button>
        <button type="button" aria-label={`Remove ${id}`} disabled={count === 1} onClick={on.onRemove}>
          Remove
        </button>
      </div>
    </>
  );
}

export function Guardrails({ form, change, errorAt }: FormPart) {
  return (
    <section class="card stack" aria-labelledby="guardrails-head">
      <h2 id="guardrails-head">Guardrails</h2>
      <p class="hint">What must not happen, whatever the agents agree on. This list may be empty.</p>
      {errorAt('guardrails') && <p class="field-error">{errorAt('guardrails')}</p>}
      <EditableList
        class="lines"
        lineClass="guardrail"
        focus="textarea"
        items={form.guardrails}
        onChange={(guardrails) => change({ guardrails })}
        onAdd={() => change(addGuardrail(form))}
        addLabel="Add a guardrail"
      >
        {({ item: { text }, index, onChange, onRemove }) => (
          <>
            <Field
              label={`Guardrail ${index + 1}`}
              name={`guardrails[${index}]`}
              rows={2}
              value={text}
              error={errorAt(`guardrails[${index}]`)}
              onChange={(value) => onChange({ text: value })}
            />
            <div class="buttons">
              <button type="button" aria-label={`Remove guardrail ${index + 1}`} onClick={onRemove}>
                Remove
              </button>
            </div>
          </>
        )}
      </EditableList>
    </section>
  );
}

/**
 * The values that the user has entered so far. They are kept while the user visits other pages, and when the page is
 * reloaded.
 */
const draft = formDraft<SessionForm>({ sessionId: 'none', record: 'session', form: 'new' }, EMPTY_FORM);

export function NewSession() {
  const place = useRef<HTMLFormElement>(null);
  const issues = useSignal(NO_ISSUES);
  const action = useAction();
  const form = draft.value;
  const change = (part: Partial<SessionForm>): void => {
    draft.value = { ...draft.value, ...part };
  };
  const asked = new URLSearchParams(search.value).get('group');
  useEffect(() => (asked === null ? undefined : change({ group: asked })), [asked]);
  const create = async (): Promise<void> => {
    draft.value = tidied(draft.value);
    issues.value = NO_ISSUES;
    // The service checks what the user typed.
    const typed = inputOf(draft.value) as OwnerInput<'createSession'>;
    const left = placeholdersIn(typed).map(({ path, words }) => ({ path, message: `Replace ${words}.` }));
    if (left.length > 0) {
      issues.value = placeIssues(left, fieldNames(draft.value));
      return;
    }
    const { session_id } = await call('createSession', typed).catch((error) => {
      if (error instanceof ApiError) issues.value = placeIssues(issuesIn(error.body), fieldNames(draft.value));
      throw error;
    });
    draft.value = EMPTY_FORM;
    void readInbox();
    go(toSession(session_id, 'people'));
  };
  useEffect(() => focusOn(place.current, issues.value.first), [issues.value]);
  const fields = { form, change, errorAt: (name: string) => issues.value.at.get(name) };
  const isExplained = issues.value.first !== null && issues.value.elsewhere.length === 0;
  return (
    <div class="new-session">
      <header class="page-head">
        <h1>New session</h1>
        <Link to={toInbox()}>Back to your inbox</Link>
      </header>
      <FileStart draft={draft} />
      <form
        ref={place}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(create);
        }}
      >
        <MissionFields {...fields} />
        <Requirements {...fields} />
        <AgendaFields {...fields} />
        <Guardrails {...fields} />
        <AgentFields {...fields} />
        <TermFields {...fields} />
        <GroupFields {...fields} />
        {isExplained ? (
          <p class="failure" role="alert">
            {issues.value.at.size === 1
              ? 'One field needs a correction. The fault is shown below the field.'
              : `${issues.value.at.size} fields need a correction. Each fault is shown below its field.`}
          </p>
        ) : (
          <Failure error={action.error} />
        )}
        <WriteButton type="submit" class="primary" disabled={action.isBusy}>
          Create the session
        </WriteButton>
        <p class="hint">
          The new session is a draft. Invite both agents next. No agent can write until you start the session.
        </p>
      </form>
    </div>
  );
}

/** Moves the focus to the field `name`. If `name` is a list, moves the focus to the first field of the list. */
function focusOn(form: HTMLFormElement | null, name: string | null): void {
  if (!form || name === null) return;
  const named = form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"], [name^="${CSS.escape(name)}["]`);
  named?.focus();
}

function MissionFields({ form, change, errorAt }: FormPart) {
  return (
    <section class="card stack" aria-labelledby="mission-head">
      <h2 id="mission-head">What it is about</h2>
      <Choice
        label="Size of the change"
        hint="Light is for at most three requirements: the contract may leave sections out, the build needs no readiness reports, and one decision releases."
        value={form.profile}
        options={[
          ['full', 'Full: every step'],
          ['light', 'Light: a small change'],
        ]}
        onChange={(profile) => change({ profile })}
      />
      {errorAt('profile') && <p class="field-error">{errorAt('profile')}</p>}
      <Field
        label="Title"
        name="title"
        required
        value={form.title}
        error={errorAt('title')}
        onChange={(title) => change({ title })}
      />
      <Field
        label="Objective"
        hint="What the agents should build, and why. Both agents read this first."
        name="objective"
        rows={4}
        required
        value={form.objective}
        error={errorAt('objective')}
        onChange={(objective) => change({ objective })}
      />
      {Object.keys(form.source).length > 0 && (
        <p class="hint">
          Source, as the file names it: <code>{visible(JSON.stringify(form.source))}</code>
        </p>
      )}
    </section>
  );
}
