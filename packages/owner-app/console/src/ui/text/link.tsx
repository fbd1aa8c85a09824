import type { ComponentChildren } from 'preact';
import { go } from '../../state/route.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string | undefined;
  readonly current?: boolean | undefined;
  /** Called when the link is followed inside the console. */
  readonly onFollow?: () => void;
  readonly children: ComponentChildren;
}

/**
 * A link inside the console. If a modifier key is held, the browser handles the click, for example to open a new tab.
 */
export function Link({ to, class: className, current, onFollow, children }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onFollow?.();
    go(to);
  };
  return (
    <a href={to} class={className} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
