import '../styles/new-session.css';
import type { OwnerInput } from '@parley/core/client';
import { plural } from '@parley/core/text';
import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { placeholdersIn } from '../../../src/text/templates/session-templates.ts';
import { visible } from '../../../src/text/visible.ts';
import { ApiError, type GroupView } from '../api/answers.ts';
import { call } from '../api/client.ts';
import { announce } from '../state/announced.ts';
import { go, search, toInbox, toSession } from '../state/route.ts';
import { readInbox } from '../state/sessions.ts';
import { submitting } from '../state/setting.ts';
import { Card } from '../ui/card.tsx';
import { WriteButton } from '../ui/controls/buttons.tsx';
import { Choice, Field, formDraft } from '../ui/controls/form.tsx';
import { Failure, useAction } from '../ui/requests.tsx';
import { Link } from '../ui/text/linked-text.tsx';
import { SafeText } from '../ui/text/shown.tsx';
import { AgendaFields, EditableList, type ListLine } from './new-session-agenda.tsx';
import { FileStart } from './new-session-file-start.tsx';
import {
  EMPTY_FORM,
  type FieldsProps,
  fieldNames,
  fieldOf,
  idOf,
  inputOf,
  issuesIn,
  line,
  NO_ISSUES,
  placeIssues,
  proposeId,
  requirement,
  requirementLines,
  type SessionForm,
  tidied,
} from './new-session-form.ts';

/** The group of the new session, and the requirements of its other sessions to copy. */
export function GroupFields(form: FieldsProps<SessionForm>) {
  const action = useAction();
  const { group } = form.item;
  const [found, setFound] = useState<GroupView['sessions']>([]);
  const look = async (): Promise<void> => {
    setFound([]);
    setFound((await call('group', { name: group })).sessions);
  };
  const copy = async (session_id: string): Promise<void> => {
    const { requirements } = await call('view', { session_id });
    form.onChange({ requirements: requirementLines(requirements) });
    announce(`Copied: ${plural(requirements.length, 'requirement')}`);
  };
  return (
    <Card class="card stack" head="group-head" title="Group">
      <Field
        label="Group"
        hint="Optional. Sessions with the same group name are shown together, for example those of one feature over several repositories. Agents cannot read the name."
        {...fieldOf(form)('group')}
      />
      <div class="buttons">
        <button type="button" disabled={group.trim() === '' || action.isBusy} onClick={() => void action.run(look)}>
          Show its sessions
        </button>
      </div>
      <Failure error={action.error} />
      {found.length > 0 && (
        <div class="buttons">
          {found.map(({ session: { session_id, title } }) => (
            <button
              key={session_id}
              type="button"
              disabled={action.isBusy}
              onClick={() => void action.run(() => copy(session_id))}
            >
              Copy the requirements of <SafeText text={title} />
            </button>
          ))}
        </div>
      )}
    </Card>
  );
}

type FormPart = FieldsProps<SessionForm>;

const PROFILES = [
  ['full', 'Full: every step'],
  ['light', 'Light: a small change'],
] as const;

export function MissionFields(form: FormPart) {
  const field = fieldOf(form);
  const { source } = form.item;
  return (
    <Card class="card stack" head="mission-head" title="What it is about">
      <Choice
        label="Size of the change"
        hint="Light is for at most three requirements: the contract may leave sections out, the build needs no readiness reports, and one decision releases."
        options={PROFILES}
        {...field('profile')}
      />
      {form.errorAt('profile') && <p class="field-error">{form.errorAt('profile')}</p>}
      <Field label="Title" required {...field('title')} />
      <Field
        label="Objective"
        hint="What the agents should build, and why. Both agents read this first."
        rows={4}
        required
        {...field('objective')}
      />
      {Object.keys(source).length > 0 && (
        <p class="hint">
          Source, as the file names it: <code>{visible(JSON.stringify(source))}</code>
        </p>
      )}
    </Card>
  );
}

export function Requirements({ item: { requirements }, onChange, errorAt }: FormPart) {
  return (
    <Card class="card stack" head="requirements-head" title="Requirements">
      <p class="hint">The contract maps each requirement to a task, a test or a gate. Name at least one requirement.</p>
      <EditableList
        class="lines"
        focus="textarea"
        path="requirements"
        errorAt={errorAt}
        items={requirements}
        onChange={(next) => onChange({ requirements: next })}
        added={{ ...requirement.empty, requirement_id: proposeId('req', requirements.map(idOf)) }}
        addLabel="Add a requirement"
      >
        {(row) => <RequirementFields {...row} />}
      </EditableList>
    </Card>
  );
}

function RequirementFields(row: ListLine<typeof requirement.empty>) {
  const field = fieldOf(row);
  const { index, count, onMove, onRemove } = row;
  const id = row.item.requirement_id;
  return (
    <>
      <Field label="Id" required {...field('requirement_id')} />
      <Field label="What must hold" rows={2} required {...field('text')} />
      <Field
        label={`Accepted when (${id})`}
        hint="Optional. Write one criterion on each line, and indent further lines of it. The requirement is met when all criteria are true."
        rows={2}
        {...field('acceptance_criteria')}
      />
      <div class="buttons">
        <button
          type="button"
          class="move up"
          aria-label={`Move ${id} up`}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        >
          ↑
        </button>
        <button
          type="button"
          class="move down"
          aria-label={`Move ${id} down`}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
        >
          ↓
        </button>
        <button type="button" aria-label={`Remove ${id}`} disabled={count === 1} onClick={onRemove}>
          Remove
        </button>
      </div>
    </>
  );
}

export function Guardrails({ item: { guardrails }, onChange, errorAt }: FormPart) {
  return (
    <Card class="card stack" head="guardrails-head" title="Guardrails">
      <p class="hint">What must not happen, whatever the agents agree on. This list may be empty.</p>
      <EditableList
        class="lines"
        lineClass="guardrail"
        focus="textarea"
        path="guardrails"
        errorAt={errorAt}
        items={guardrails}
        onChange={(next) => onChange({ guardrails: next })}
        added={line.empty}
        addLabel="Add a guardrail"
      >
        {(row) => (
          <>
            <Field
              label={`Guardrail ${row.index + 1}`}
              rows={2}
              {...fieldOf(row)('text')}
              name={row.path}
              error={errorAt(row.path)}
            />
            <div class="buttons">
              <button type="button" aria-label={`Remove guardrail ${row.index + 1}`} onClick={row.onRemove}>
                Remove
              </button>
            </div>
          </>
        )}
      </EditableList>
    </Card>
  );
}

const ROLES = [
  ['agent_a', 'Agent A', 'repository-a', 'service-a'],
  ['agent_b', 'Agent B', 'repository-b', 'service-b'],
] as const;

export function AgentFields({ item: { agents }, onChange, errorAt }: FormPart) {
  return (
    <Card class="card stack" head="agents-head" title="Agents">
      <div class="pair">
        {ROLES.map(([role, title, repository, service]) => {
          const field = fieldOf({
            item: agents[role],
            path: `agents.${role}`,
            onChange: (part) => onChange({ agents: { ...agents, [role]: { ...agents[role], ...part } } }),
            errorAt,
          });
          return (
            <fieldset key={role} class="agent">
              <legend>{title}</legend>
              <Field label="Name" placeholder={title} {...field('name')} />
              <Field label="Repository" placeholder={repository} {...field('repository')} />
              <Field label="Service" placeholder={service} {...field('service')} />
            </fieldset>
          );
        })}
      </div>
    </Card>
  );
}

const POLICIES = [
  ['refuse', 'Refuse it: nothing is stored'],
  ['warn', 'Store it, and warn the agent'],
] as const;
const APPROVALS = [
  ['1', 'One person'],
  ['2', 'Two people, each with a key of their own'],
] as const;

/** The fields for rounds, first turn, test data and the policy for credentials. */
export function TermFields(form: FormPart) {
  const field = fieldOf(form);
  const { agents } = form.item;
  return (
    <Card class="card stack" head="terms-head" title="Terms">
      <div class="pair">
        <Field
          label="Rounds"
          hint="1 to 100; a round is one turn of each agent. You can add rounds later."
          type="number"
          {...field('round_limit')}
          onChange={(value) => form.onChange({ round_limit: value.replace(/\D/g, '') })}
        />
        <Choice
          label="First turn"
          options={ROLES.map(([role, title]) => [role, visible(agents[role].name.trim()) || title])}
          {...field('first_turn')}
        />
        <Field
          label="Fixture version"
          hint="The version of the test data that both sides use."
          {...field('fixture_version')}
        />
        <Field
          label="Environment"
          hint="The environment in which the agents verify, such as a staging system; never production."
          {...field('environment')}
        />
        <Choice label="When an agent posts a credential" options={POLICIES} {...field('secret_policy')} />
        <Choice
          label="How many people must approve"
          hint="Applies to the contract, the deployment and the activation."
          options={APPROVALS}
          {...field('required_approvals')}
        />
      </div>
    </Card>
  );
}

/**
 * The values that the user has entered so far. They are kept while the user visits other pages, and when the page is
 * reloaded.
 */
const draft = formDraft<SessionForm>({ sessionId: 'none', record: 'session', form: 'create' }, EMPTY_FORM);

export function NewSession() {
  const place = useRef<HTMLFormElement>(null);
  const issues = useSignal(NO_ISSUES);
  const action = useAction();
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
  const fields = {
    item: draft.value,
    path: '',
    onChange: change,
    errorAt: (name: string) => issues.value.at.get(name),
  };
  const isExplained = issues.value.first !== null && issues.value.elsewhere.length === 0;
  return (
    <div class="stack new-session">
      <header class="row page-head">
        <h1>New session</h1>
        <Link to={toInbox()}>Back to your inbox</Link>
      </header>
      <FileStart draft={draft} />
      <form ref={place} noValidate onSubmit={submitting(() => action.run(create))}>
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
