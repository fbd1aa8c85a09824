import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type DraftPlace, draftAt, keepDraft } from '../../api/drafts.ts';
import { toggling } from '../../state/setting.ts';

/** Binds a field to a signal or a draft: the field shows its value, and stores in it what the user enters. */
export const bound = <T,>(to: { value: T }) => ({
  value: to.value,
  onChange: (value: T): void => {
    to.value = value;
  },
});

/** How each type of a field is entered. A number is kept as text. */
const TYPES = {
  text: { type: 'text', inputMode: 'text' },
  number: { type: 'text', inputMode: 'numeric' },
  password: { type: 'password' },
  date: { type: 'date' },
} as const;

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly required?: boolean;
  readonly type?: keyof typeof TYPES;
  readonly autocomplete?: 'off' | 'current-password';
  readonly placeholder?: string;
  /** Path of the field, such as `requirements[0].text`. The issues of a refused call contain this path. */
  readonly name?: string;
  /** Why the server has refused the value of the field. */
  readonly error?: string | undefined;
}

export function Field({ label, hint, value, onChange, rows, ...more }: FieldProps) {
  const id = useId();
  const { required = false, type = 'text', autocomplete = 'off', placeholder = '', name, error } = more;
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const named = { id, name, 'aria-describedby': described || undefined, ...(error && { 'aria-invalid': true }) };
  const shared = { ...named, value, required, placeholder, autocomplete };
  return (
    <div class={error ? 'field refused' : 'field'}>
      <label for={id}>{label}</label>
      {rows ? (
        <textarea {...shared} rows={rows} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <input {...shared} {...TYPES[type]} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, hint, value, options, onChange }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TickProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly children: ComponentChildren;
}

export function Tick({ value, onChange, children }: TickProps) {
  return (
    <label class="tick">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      {children}
    </label>
  );
}

interface FilterFoldProps {
  /** The accessible name of the filter. */
  readonly label: string;
  readonly class?: string;
  /** The text of the button that unfolds the filter. */
  readonly title: string;
  /** Number of members of the filter that are set. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** The fields of a filter. On a narrow page they are hidden until the user presses a button. */
export function FilterFold({ label, class: name = '', title, count, children }: FilterFoldProps) {
  const isOpen = useSignal(false);
  return (
    <search class={`table-filter ${name} ${isOpen.value ? 'unfolded' : ''}`} aria-label={label}>
      <button type="button" class="filter-button" aria-expanded={isOpen.value} onClick={toggling(isOpen)}>
        {count === 0 ? title : `${title} (${count} set)`}
      </button>
      {children}
    </search>
  );
}

/**
 * The values of a form, which are stored as a draft. When `value` changes, each component that has read it is rendered
 * again.
 */
export interface FormDraft<T> {
  value: T;
}

/**
 * Stores all fields of a form as one draft.
 *
 * @param initial the values of an empty form; these are not stored
 */
export function formDraft<T extends object>(place: DraftPlace, initial: T): FormDraft<T> {
  return {
    get value() {
      return { ...initial, ...parsed<T>(draftAt(place)) };
    },
    set value(next: T) {
      const text = JSON.stringify(next);
      keepDraft(place, text === JSON.stringify(initial) ? '' : text);
    },
  };
}

function parsed<T>(text: string): Partial<T> {
  try {
    return Object(JSON.parse(text || '{}'));
  } catch {
    return {};
  }
}
