import { useRef } from 'preact/hooks';
import { Field } from '../ui/controls/field.tsx';
import { addGuardrail, addRequirement, type FormPart, moved, type Requirement } from './new-session-form.ts';

export function Requirements({ form, change, errorAt }: FormPart) {
  const { requirements } = form;
  const list = useRef<HTMLOListElement>(null);
  const focusSoon = (...selectors: readonly string[]): void => {
    requestAnimationFrame(() => {
      const found = selectors.map((selector) => list.current?.querySelector<HTMLElement>(selector));
      found.find(Boolean)?.focus();
    });
  };
  const replace = (index: number, part: Partial<Requirement>): void =>
    change({ requirements: requirements.map((item, at) => (at === index ? { ...item, ...part } : item)) });
  const move = (index: number, by: -1 | 1): void => {
    const key = requirements[index]?.key;
    change({ requirements: moved(requirements, index, by) });
    const line = `[data-key="${key}"]`;
    focusSoon(`${line} .${by === -1 ? 'up' : 'down'}:enabled`, `${line} .move:enabled`);
  };
  return (
    <section class="card stack" aria-labelledby="requirements-head">
      <h2 id="requirements-head">Requirements</h2>
      <p class="hint">The contract maps each requirement to a task, a test or a gate. Name at least one requirement.</p>
      {errorAt('requirements') && (
        <p class="field-error" role="alert">
          {errorAt('requirements')}
        </p>
      )}
      <ol class="lines" ref={list}>
        {requirements.map((requirement, index) => (
          <RequirementLine
            key={requirement.key}
            requirement={requirement}
            index={index}
            count={requirements.length}
            errorAt={errorAt}
            onChange={(part) => replace(index, part)}
            onMove={(by) => move(index, by)}
            onRemove={() => {
              change({ requirements: requirements.filter((_, at) => at !== index) });
              focusSoon(`li:nth-child(${Math.max(1, index)}) textarea`);
            }}
          />
        ))}
      </ol>
      <button
        type="button"
        class="add"
        onClick={() => {
          change(addRequirement(form));
          focusSoon('li:last-child textarea');
        }}
      >
        Add a requirement
      </button>
    </section>
  );
}

interface RequirementLineProps {
  readonly requirement: Requirement;
  readonly index: number;
  readonly count: number;
  readonly errorAt: FormPart['errorAt'];
  readonly onChange: (part: Partial<Requirement>) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function RequirementLine({ requirement, index, count, errorAt, ...on }: RequirementLineProps) {
  const { key, id, text, criteria = '' } = requirement;
  const path = `requirements[${index}]`;
  return (
    <li data-key={key}>
      <Field
        label="Id"
        name={`${path}.requirement_id`}
        value={id}
        required
        error={errorAt(`${path}.requirement_id`)}
        onInput={(value) => on.onChange({ id: value })}
      />
      <Field
        label="What must hold"
        name={`${path}.text`}
        rows={2}
        value={text}
        required
        error={errorAt(`${path}.text`)}
        onInput={(value) => on.onChange({ text: value })}
      />
      <Field
        label={`Accepted when (${id})`}
        hint="Optional. Write one criterion on each line. The requirement is met when all criteria are true."
        name={`${path}.acceptance_criteria`}
        rows={2}
        value={criteria}
        error={errorAt(`${path}.acceptance_criteria`)}
        onInput={(value) => on.onChange({ criteria: value })}
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
    </li>
  );
}

export function Guardrails({ form, change, errorAt }: FormPart) {
  const { guardrails } = form;
  const list = useRef<HTMLUListElement>(null);
  return (
    <section class="card stack" aria-labelledby="guardrails-head">
      <h2 id="guardrails-head">Guardrails</h2>
      <p class="hint">What must not happen, whatever the agents agree on. This list may be empty.</p>
      {errorAt('guardrails') && <p class="field-error">{errorAt('guardrails')}</p>}
      <ul class="lines" ref={list}>
        {guardrails.map(({ key, text }, index) => (
          <li key={key} class="guardrail">
            <Field
              label={`Guardrail ${index + 1}`}
              name={`guardrails[${index}]`}
              rows={2}
              value={text}
              error={errorAt(`guardrails[${index}]`)}
              onInput={(value) =>
                change({ guardrails: guardrails.map((item, at) => (at === index ? { ...item, text: value } : item)) })
              }
            />
            <div class="buttons">
              <button
                type="button"
                aria-label={`Remove guardrail ${index + 1}`}
                onClick={() => change({ guardrails: guardrails.filter((_, at) => at !== index) })}
              >
                Remove
              </button>
            </div>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="add"
        onClick={() => {
          change(addGuardrail(form));
          requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child textarea')?.focus());
        }}
      >
        Add a guardrail
      </button>
    </section>
  );
}
