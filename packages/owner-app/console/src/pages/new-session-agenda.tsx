import { readAs } from '../../../src/text/read-as.ts';
import { visible } from '../../../src/text/visible.ts';
import { Choice, Field } from '../ui/controls/field.tsx';
import { EditableList, type ListLine } from './editable-list.tsx';
import { addScenario, addTopic, type Scenario } from './new-session-agenda-form.ts';
import type { FormPart } from './new-session-form.ts';

/** The fields for topics to decide and scenarios to test. */
export function AgendaFields(part: FormPart) {
  return (
    <section class="card stack" aria-labelledby="agenda-head">
      <h2 id="agenda-head">Agenda</h2>
      <p class="hint">
        Optional. What you want decided and tested. It binds nobody: warnings tell you what a contract leaves open.
      </p>
      {part.errorAt('agenda') && <p class="field-error">{part.errorAt('agenda')}</p>}
      <Topics {...part} />
      <Scenarios {...part} />
    </section>
  );
}

function Topics({ form, change, errorAt }: FormPart) {
  return (
    <>
      <h3>Topics to decide</h3>
      {errorAt('agenda.topics') && <p class="field-error">{errorAt('agenda.topics')}</p>}
      <EditableList
        class="lines"
        lineClass="topic"
        focus="input"
        items={form.topics}
        onChange={(topics) => change({ topics })}
        onAdd={() => change(addTopic(form))}
        addLabel="Add a topic"
      >
        {({ item: { topic, question }, index, onChange, onRemove }) => (
          <>
            <Field
              label={`Topic ${index + 1}`}
              name={`agenda.topics[${index}].topic`}
              value={topic}
              error={errorAt(`agenda.topics[${index}].topic`)}
              onChange={(value) => onChange({ topic: value })}
            />
            <Field
              label="What the decision must answer"
              name={`agenda.topics[${index}].question`}
              rows={2}
              value={question}
              error={errorAt(`agenda.topics[${index}].question`)}
              onChange={(value) => onChange({ question: value })}
            />
            <div class="buttons">
              <button type="button" aria-label={`Remove topic ${index + 1}`} onClick={onRemove}>
                Remove
              </button>
            </div>
          </>
        )}
      </EditableList>
    </>
  );
}

function Scenarios({ form, change, errorAt }: FormPart) {
  return (
    <>
      <h3>Scenarios to test</h3>
      {errorAt('agenda.scenarios') && <p class="field-error">{errorAt('agenda.scenarios')}</p>}
      <EditableList
        class="scenarios"
        focus="input"
        items={form.scenarios}
        onChange={(scenarios) => change({ scenarios })}
        onAdd={() => change(addScenario(form))}
        addLabel="Add a scenario"
      >
        {(line) => <ScenarioFields {...line} path={`agenda.scenarios[${line.index}]`} errorAt={errorAt} />}
      </EditableList>
    </>
  );
}

interface ScenarioProps extends Pick<ListLine<Scenario>, 'item' | 'onChange' | 'onRemove'> {
  readonly path: string;
  readonly errorAt: FormPart['errorAt'];
}

const SENTENCES = [
  ['given', 'given', 'Given'],
  ['when', 'when', 'When'],
  ['outcome', 'then', 'Then'],
] as const;

function ScenarioFields({ item: scenario, path, errorAt, onChange, onRemove }: ScenarioProps) {
  const { id, title, executor, requirements } = scenario;
  return (
    <fieldset class="agent">
      <legend>{`Scenario ${visible(id)}`}</legend>
      <div class="pair">
        <Field
          label="Id of the test"
          name={`${path}.id`}
          value={id}
          error={errorAt(`${path}.id`)}
          onChange={(value) => onChange({ id: value })}
        />
        <Field
          label="Title"
          name={`${path}.title`}
          value={title}
          error={errorAt(`${path}.title`)}
          onChange={(value) => onChange({ title: value })}
        />
      </div>
      {SENTENCES.map(([field, member, label]) => (
        <Field
          key={field}
          label={label}
          name={`${path}.${member}`}
          rows={2}
          value={scenario[field]}
          error={errorAt(`${path}.${member}`)}
          onChange={(value) => onChange({ [field]: value })}
        />
      ))}
      <div class="pair">
        <Field
          label="Requirements"
          hint="Their ids, with commas between them."
          name={`${path}.requirements`}
          value={requirements}
          error={errorAt(`${path}.requirements`)}
          onChange={(value) => onChange({ requirements: value })}
        />
        <Choice
          label="Run by"
          value={executor}
          options={[
            ['', 'The agents decide'],
            ['agent_a', 'Agent A'],
            ['agent_b', 'Agent B'],
          ]}
          onChange={(value) => onChange({ executor: value })}
        />
      </div>
      <PolicyFields item={scenario} onChange={onChange} error={errorAt(`${path}.evidence_policy`)} />
      <div class="buttons">
        <button type="button" aria-label={`Remove scenario ${id}`} onClick={onRemove}>
          Remove
        </button>
      </div>
    </fieldset>
  );
}

interface PolicyProps extends Pick<ScenarioProps, 'item' | 'onChange'> {
  readonly error: string | undefined;
}

const CORRELATED = { true: true, false: false } as const;

/** The level of the evidence, and whether the evidence of both sides belongs together. Other members are kept and shown. */
function PolicyFields({ item: { policy }, onChange, error }: PolicyProps) {
  const { level } = readAs(policy, { level: 'text' });
  const { level: _level, correlated, ...rest } = policy;
  const set = (members: Readonly<Record<string, unknown>>): void =>
    onChange({
      policy: Object.fromEntries(Object.entries({ ...policy, ...members }).filter(([, value]) => value !== undefined)),
    });
  return (
    <>
      <div class="pair">
        <Choice
          label="Lowest evidence that counts"
          value={level}
          options={[
            ['', 'The words of an agent'],
            ['recorded', 'A recorded run'],
            ['ci', 'A run of a bound workflow'],
          ]}
          onChange={(value) => set({ level: value === '' ? undefined : value })}
        />
        <Choice
          label="Request ids of the two sides"
          value={correlated === false ? 'false' : 'true'}
          options={[
            ['true', 'Must be the same'],
            ['false', 'Need not be the same'],
          ]}
          onChange={(value) => set({ correlated: CORRELATED[value] })}
        />
      </div>
      {Object.keys(rest).length > 0 && (
        <p class="hint">
          Also kept of the evidence: <code>{visible(JSON.stringify(rest))}</code>
        </p>
      )}
      {error && <p class="field-error">{error}</p>}
    </>
  );
}
