import { plural } from '@parley/core/text';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { sessionTemplate, TEMPLATES } from '../../../src/text/templates/session-templates.ts';
import type { FormDraft } from '../ui/controls/form.tsx';
import { SafeText } from '../ui/text/shown.tsx';
import { type FileReading, readSession, readSessionFile, type SessionForm } from './new-session-form.ts';

const MAX_BYTES = 2_000_000;

interface Reading {
  /** The name of the file or of the template. */
  readonly name: string;
  readonly faults: readonly string[];
  readonly unused: readonly string[];
  readonly taken: string;
  /** The form before it was filled from the file. */
  readonly before: SessionForm;
}

/** Fills the form from a template or a file. If the file has faults, shows the faults and does not change the form. */
export function FileStart({ draft }: { readonly draft: FormDraft<SessionForm> }) {
  const picker = useRef<HTMLInputElement>(null);
  const reading = useSignal<Reading | null>(null);
  const take = async (name: string, read: () => Promise<FileReading>): Promise<void> => {
    const result = await read();
    const before = draft.value;
    const isRead = 'form' in result;
    if (isRead) draft.value = result.form;
    reading.value = {
      name,
      faults: isRead ? [] : result.faults,
      unused: isRead ? result.unused : [],
      taken: isRead ? countsOf(result.form) : '',
      before,
    };
  };
  return (
    <section class="card stack file-start" aria-label="Start from a template or a file">
      <h2>Start from a template</h2>
      <ul class="templates">
        {TEMPLATES.map(({ name, for: purpose }) => (
          <li key={name}>
            <button
              type="button"
              aria-describedby={`for-${name}`}
              onClick={() => void take(name, () => readTemplate(name))}
            >
              {name}
            </button>
            <span id={`for-${name}`}>{purpose}</span>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" onClick={() => picker.current?.click()}>
          Start from a mission file…
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label="Mission file"
          onChange={(event) => {
            const { currentTarget } = event;
            const file = currentTarget.files?.[0];
            // The file field is emptied. Otherwise choosing the same file again would fire no change event.
            if (file)
              void take(file.name, () => readFile(file)).finally(() => {
                currentTarget.value = '';
              });
          }}
        />
      </div>
      <p class="hint">
        A template, a mission file, or a file that <code>parley create --template</code> printed fills the form below.
        Replace the words in angle brackets. Nothing is sent until you create the session.
      </p>
      {reading.value && (
        <Outcome
          reading={reading.value}
          onUndo={(before) => {
            draft.value = before;
            reading.value = null;
          }}
        />
      )}
    </section>
  );
}

const readFile = async (file: File): Promise<FileReading> =>
  file.size > MAX_BYTES
    ? { faults: ['The file is larger than 2 MB. A mission file has a few thousand lines at most.'] }
    : readSessionFile(await file.text());

/** Loads a template. Its loading fails where the server is gone, or serves another version of the console. */
const readTemplate = async (name: string): Promise<FileReading> =>
  sessionTemplate(name)
    .then(readSession)
    .catch(() => ({ faults: ['The template could not be loaded. Reload the page, and try again.'] }));

interface OutcomeProps {
  readonly reading: Reading;
  readonly onUndo: (before: SessionForm) => void;
}

function Outcome({ reading: { name, faults, unused, taken, before }, onUndo }: OutcomeProps) {
  if (faults.length > 0)
    return (
      <div class="failure" role="alert">
        <p>
          <SafeText in="b" text={name} /> was not used; the form is unchanged.
        </p>
        <ul class="bullets">
          {faults.map((fault) => (
            <SafeText key={fault} in="li" text={fault} />
          ))}
        </ul>
      </div>
    );
  return (
    <div class="row read" role="status">
      <p>
        <SafeText in="b" text={name} /> {`has filled the form below: ${taken}.`}
        {unused.length > 0 && (
          <>
            {' Not used: '}
            <SafeText text={unused.join(', ')} />.
          </>
        )}
      </p>
      <button type="button" class="quiet" onClick={() => onUndo(before)}>
        Undo
      </button>
    </div>
  );
}

const countsOf = ({ requirements, guardrails, agenda: { topics, scenarios } }: SessionForm): string =>
  [
    plural(requirements.length, 'requirement'),
    plural(guardrails.length, 'guardrail'),
    ...(topics.length > 0 ? [plural(topics.length, 'topic')] : []),
    ...(scenarios.length > 0 ? [plural(scenarios.length, 'scenario')] : []),
  ].join(', ');
