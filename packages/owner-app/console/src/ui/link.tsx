import type { ComponentChildren } from 'preact';
import { go } from '../state/route.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string | undefined;
  readonly current?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** A link inside the console. A click with a modifier key is left to the browser. */
export function Link({ to, class: className, current, children }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} class={className} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
