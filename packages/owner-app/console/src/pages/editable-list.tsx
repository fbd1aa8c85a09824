import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { moved } from './new-session-form.ts';

/** An item of the list, with what its line can do. */
export interface ListLine<T> {
  readonly item: T;
  readonly index: number;
  readonly count: number;
  readonly onChange: (part: Partial<T>) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

interface EditableListProps<T> {
  readonly items: readonly T[];
  readonly onChange: (items: readonly T[]) => void;
  readonly onAdd: () => void;
  readonly addLabel: string;
  /** The field of a line that gets the focus when the line is added. */
  readonly focus: 'input' | 'textarea';
  /** The classes of the list and of its lines. */
  readonly class: string;
  readonly lineClass?: string;
  readonly children: (line: ListLine<T>) => ComponentChildren;
}

/** A list to which the user adds lines. The focus follows what the user did. */
export function EditableList<T extends { readonly key: number }>(props: EditableListProps<T>) {
  const { items, focus, onChange } = props;
  const list = useRef<HTMLOListElement>(null);
  const focusSoon = (...selectors: readonly string[]): void => {
    requestAnimationFrame(() => {
      const found = selectors.map((selector) => list.current?.querySelector<HTMLElement>(selector));
      found.find(Boolean)?.focus();
    });
  };
  return (
    <>
      <ol class={props.class} ref={list}>
        {items.map((item, index) => (
          <li key={item.key} class={props.lineClass}>
            {props.children({
              item,
              index,
              count: items.length,
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
          props.onAdd();
          focusSoon(`li:last-child ${focus}`);
        }}
      >
        {props.addLabel}
      </button>
    </>
  );
}
