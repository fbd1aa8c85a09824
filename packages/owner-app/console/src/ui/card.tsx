import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { visible } from '../../../src/text/visible.ts';

interface CardProps {
  /** The id of the whole part, to which links lead. */
  readonly id?: string | undefined;
  /** The id of the heading, to which links lead. */
  readonly head: string;
  readonly title: ComponentChildren;
  /** Shown after the title, such as a badge. */
  readonly note?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page with a heading of its own, which names it. */
export const Card = ({ id, head, title, note, class: name = 'card', children }: CardProps) => (
  <section class={name} id={id} aria-labelledby={head}>
    <h2 id={head}>
      {title} {note}
    </h2>
    {children}
  </section>
);

/** The headings of the columns of a table. */
export const Heads = ({ of: names }: { readonly of: readonly string[] }) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {visible(name)}
        </th>
      ))}
    </tr>
  </thead>
);

interface UnfoldedProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** Whether it is unfolded at first. */
  readonly isOpen?: boolean;
  /** Makes the content. Called only while it is unfolded. */
  readonly children: () => ComponentChildren;
}

/** A part of the page that is made, and reads what it shows, when the reader first unfolds it. Folded again, it keeps its state. */
export function Unfolded({ summary, class: name, isOpen: isOpenAtFirst = false, children }: UnfoldedProps) {
  const hasBeenOpen = useSignal(isOpenAtFirst);
  return (
    <details
      class={name}
      open={isOpenAtFirst}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) hasBeenOpen.value = true;
      }}
    >
      <summary>{summary}</summary>
      {hasBeenOpen.value && children()}
    </details>
  );
}
