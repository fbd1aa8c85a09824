import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type Json, readAs } from '../../../src/text/read-as.ts';
import { visible } from '../../../src/text/visible.ts';
import { Card } from '../ui/card.tsx';
import { Choice, Field } from '../ui/controls/form.tsx';
import {
  type FieldsProps,
  fieldOf,
  moved,
  proposeId,
  type Row,
  type SessionForm,
  scenario,
  topic,
} from './new-session-form.ts';

/** An item of the list, with what its line can do. */
export interface ListLine<T> extends FieldsProps<T> {
  readonly index: number;
  readonly count: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

interface EditableListProps<T> extends Pick<FieldsProps<T>, 'path' | 'errorAt'> {
  readonly items: readonly Row<T>[];
  readonly onChange: (items: readonly Row<T>[]) => void;
  /** The item of a new line. */
  readonly added: T;
  readonly addLabel: string;
  /** The field of a line that gets the focus when the line is added. */
  readonly focus: 'input' | 'textarea';
  /** The classes of the list and of its lines. */
  readonly class: string;
  readonly lineClass?: string;
  readonly children: (line: ListLine<T>) => ComponentChildren;
}

/** A list to which the user adds lines, with its fault above it. The focus follows what the user did. */
export function EditableList<T extends object>(props: EditableListProps<T>) {
  const { items, focus, path, errorAt, onChange } = props;
  const list = useRef<HTMLOListElement>(null);
  const focusSoon = (...selectors: readonly string[]): void => {
    requestAnimationFrame(() => {
      const found = selectors.map((selector) => list.current?.querySelector<HTMLElement>(selector));
      found.find(Boolean)?.focus();
    });
  };
  const error = errorAt(path);
  return (
    <>
      {error && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <ol class={props.class} ref={list}>
        {items.map((item, index) => (
          <li key={item.key} class={props.lineClass}>
            {props.children({
              item,
              index,
              count: items.length,
              path: `${path}[${index}]`,
              errorAt,
              onChange: (part) => onChange(items.with(index, { ...item, ...part })),
              onMove: (by) => {
                onChange(moved(items, index, by));
                const line = `li:nth-child(${index + 1 + by})`;
                focusSoon(`${line} .${by === -1 ? 'up' : 'down'}:enabled`, `${line} .move:enabled`);
              },
              onRemove: () => {
                onChange(items.toSpliced(index, 1));
                focusSoon(`li:nth-child(${Math.max(1, index)}) ${focus}`);
              },
            })}
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="add"
        onClick={() => {
          onChange([...items, { ...props.added, key: nextKey(items) }]);
          focusSoon(`li:last-child ${focus}`);
        }}
      >
        {props.addLabel}
      </button>
    </>
  );
}

/** A key that no entry of the list has. */
const nextKey = (entries: readonly { readonly key: number }[]): number =>
  Math.max(0, ...entries.map(({ key }) => key)) + 1;

/** The fields for topics to decide and scenarios to test. */
export function AgendaFields({ item: { agenda }, onChange, errorAt }: FieldsProps<SessionForm>) {
  const change = (part: Partial<SessionForm['agenda']>): void => onChange({ agenda: { ...agenda, ...part } });
  return (
    <Card class="card stack" head="agenda-head" title="Agenda">
      <p class="hint">
        Optional. What you want decided and tested. It binds nobody: warnings tell you what a contract leaves open.
      </p>
      {errorAt('agenda') && <p class="field-error">{errorAt('agenda')}</p>}
      <h3>Topics to decide</h3>
      <EditableList
        class="lines"
        lineClass="topic"
        focus="input"
        path="agenda.topics"
        errorAt={errorAt}
        items={agenda.topics}
        onChange={(topics) => change({ topics })}
        added={topic.empty}
        addLabel="Add a topic"
      >
        {(line) => <TopicFields {...line} />}
      </EditableList>
      <h3>Scenarios to test</h3>
      <EditableList
        class="scenarios"
        focus="input"
        path="agenda.scenarios"
        errorAt={errorAt}
        items={agenda.scenarios}
        onChange={(scenarios) => change({ scenarios })}
        added={{
          ...scenario.empty,
          id: proposeId(
            'test',
            agenda.scenarios.map(({ id }) => id),
          ),
        }}
        addLabel="Add a scenario"
      >
        {(line) => <ScenarioFields {...line} />}
      </EditableList>
    </Card>
  );
}

function TopicFields(line: ListLine<typeof topic.empty>) {
  const field = fieldOf(line);
  return (
    <>
      <Field label={`Topic ${line.index + 1}`} {...field('topic')} />
      <Field label="What the decision must answer" rows={2} {...field('question')} />
      <div class="buttons">
        <button type="button" aria-label={`Remove topic ${line.index + 1}`} onClick={line.onRemove}>
          Remove
        </button>
      </div>
    </>
  );
}

const EXECUTORS = [
  ['', 'The agents decide'],
  ['agent_a', 'Agent A'],
  ['agent_b', 'Agent B'],
] as const;

function ScenarioFields(line: ListLine<typeof scenario.empty>) {
  const field = fieldOf(line);
  const { id } = line.item;
  return (
    <fieldset class="agent">
      <legend>{`Scenario ${visible(id)}`}</legend>
      <div class="pair">
        <Field label="Id of the test" {...field('id')} />
        <Field label="Title" {...field('title')} />
      </div>
      <Field label="Given" rows={2} {...field('given')} />
      <Field label="When" rows={2} {...field('when')} />
      <Field label="Then" rows={2} {...field('then')} />
      <div class="pair">
        <Field label="Requirements" hint="Their ids, with commas between them." {...field('requirements')} />
        <Choice label="Run by" options={EXECUTORS} {...field('executor')} />
      </div>
      <PolicyFields {...line} />
      <div class="buttons">
        <button type="button" aria-label={`Remove scenario ${id}`} onClick={line.onRemove}>
          Remove
        </button>
      </div>
    </fieldset>
  );
}

const LEVELS = [
  ['', 'The words of an agent'],
  ['recorded', 'A recorded run'],
  ['ci', 'A run of a bound workflow'],
] as const;
const CORRELATED = [
  ['true', 'Must be the same'],
  ['false', 'Need not be the same'],
] as const;

/** The level of the evidence, and whether the evidence of both sides belongs together. Other members are kept and shown. */
function PolicyFields({ item: { evidence_policy }, path, onChange, errorAt }: FieldsProps<typeof scenario.empty>) {
  const { level } = readAs(evidence_policy, { level: 'text' });
  const { level: _level, correlated, ...rest } = evidence_policy;
  const error = errorAt(`${path}.evidence_policy`);
  const set = (members: Json): void => {
    const kept = Object.entries({ ...evidence_policy, ...members }).filter(([, value]) => value !== undefined);
    onChange({ evidence_policy: Object.fromEntries(kept) });
  };
  return (
    <>
      <div class="pair">
        <Choice
          label="Lowest evidence that counts"
          value={level}
          options={LEVELS}
          onChange={(value) => set({ level: value === '' ? undefined : value })}
        />
        <Choice
          label="Request ids of the two sides"
          value={correlated === false ? 'false' : 'true'}
          options={CORRELATED}
          onChange={(value) => set({ correlated: value === 'true' })}
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
