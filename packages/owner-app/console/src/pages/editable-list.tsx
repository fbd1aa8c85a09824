import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type FieldsProps, moved, type Row } from './form-parts.ts';

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
