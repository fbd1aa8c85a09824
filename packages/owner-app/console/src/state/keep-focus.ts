/** The element that had the focus last, and its ancestors. */
let last: readonly Element[] = [];
/** The element that had the focus before the focus moved into the latest dialog. Kept after the dialog is closed. */
let opener: Element | undefined;

/**
 * Moves the focus when the focused element is removed, for example after a question was answered. Without this, users
 * of keyboards and screen readers would start at the beginning of the page again. Of the sections that contained the
 * element, the innermost that is still on the page gets the focus on its heading, or, in the transcript, on its list of
 * messages. If no section is left, the content of the page gets the focus. If the element was in a dialog, the element
 * that had the focus before the dialog gets it again. The browser does not do this for a button that was disabled while
 * its call was in progress.
 *
 * @param root the element in which removals are watched
 */
export function keepFocus(root: HTMLElement): () => void {
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const dialog = target.closest('dialog');
    if (dialog && !last.includes(dialog)) opener = last[0];
    last = chainFrom(target);
  };
  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (isLost && last[0] && !last[0].isConnected) focusNear(last);
  });
  root.addEventListener('focusin', remember);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', remember);
  };
}

function chainFrom(element: Element): Element[] {
  const chain: Element[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) chain.push(at);
  return chain;
}

function focusNear(chain: readonly Element[]): void {
  last = [];
  if (opener instanceof HTMLElement && chain.some((element) => element.matches('dialog'))) {
    opener.focus();
    if (document.activeElement === opener) return;
  }
  const section = chain.find((element) => element.isConnected && element.matches('section, article, [role="feed"]'));
  const goal =
    section instanceof HTMLElement && section.role === 'feed'
      ? section
      : (section?.querySelector<HTMLElement>('h1, h2, h3') ?? document.getElementById('main'));
  if (!goal) return;
  if (goal.tabIndex < 0) goal.tabIndex = -1;
  goal.focus({ preventScroll: true });
}
