import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Binds a field to a signal or a draft: the field shows its value, and stores in it what the user enters. */
export const bound = <T,>(to: { value: T }) => ({
  value: to.value,
  onChange: (value: T): void => {
    to.value = value;
  },
});

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly required?: boolean;
  readonly type?: 'text' | 'password' | 'number' | 'date';
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
  const shared = { id, value, required, placeholder, autocomplete, name, 'aria-describedby': described || undefined };
  const refused = error ? { 'aria-invalid': true } : {};
  return (
    <div class={error ? 'field refused' : 'field'}>
      <label for={id}>{label}</label>
      {rows ? (
        <textarea {...shared} {...refused} rows={rows} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : type === 'password' ? (
        <input {...shared} {...refused} type="password" onInput={(event) => onChange(event.currentTarget.value)} />
      ) : type === 'date' ? (
        <input {...shared} {...refused} type="date" onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <input
          {...shared}
          {...refused}
          type="text"
          inputMode={type === 'number' ? 'numeric' : 'text'}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
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
