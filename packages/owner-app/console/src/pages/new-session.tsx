import type { OwnerInput } from '@parley/core/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { formDraft } from '../state/form-draft.ts';
import { readInbox } from '../state/inbox.ts';
import { go, toInbox, toSession } from '../state/route.ts';
import { Field } from '../ui/controls/field.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { Link } from '../ui/text/link.tsx';
import { AgentFields, Guardrails, Requirements, TermFields } from './new-session-fields.tsx';
import { FileStart } from './new-session-file-start.tsx';
import {
  EMPTY_FORM,
  type FormPart,
  fieldNames,
  inputOf,
  issuesIn,
  NO_ISSUES,
  placeIssues,
  type SessionForm,
  tidied,
} from './new-session-form.ts';
import '../styles/new-session.css';
import { WriteButton } from '../ui/controls/write-button.tsx';

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
  const create = async (): Promise<void> => {
    draft.value = tidied(draft.value);
    issues.value = NO_ISSUES;
    // The service checks what the user typed.
    const typed = inputOf(draft.value) as OwnerInput<'createSession'>;
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
        <Guardrails {...fields} />
        <AgentFields {...fields} />
        <TermFields {...fields} />
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
      <Field
        label="Title"
        name="title"
        required
        value={form.title}
        error={errorAt('title')}
        onInput={(title) => change({ title })}
      />
      <Field
        label="Objective"
        hint="What the agents should build, and why. Both agents read this first."
        name="objective"
        rows={4}
        required
        value={form.objective}
        error={errorAt('objective')}
        onInput={(objective) => change({ objective })}
      />
    </section>
  );
}
