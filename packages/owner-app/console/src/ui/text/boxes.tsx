import type { ComponentChildren } from 'preact';
import { SafeText } from './shown.tsx';

interface WideBoxProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A box that scrolls sideways, such as around a table. It can be reached by keyboard. */
export const WideBox = ({ class: className = '', children }: WideBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
  <div class={`scroll-x ${className}`.trim()} tabIndex={0}>
    {children}
  </div>
);

/** A box with a long text as it is, such as JSON. It can be reached by keyboard. */
export const TextBox = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
  <pre class="json" tabIndex={0}>
    <SafeText text={text} />
  </pre>
);
