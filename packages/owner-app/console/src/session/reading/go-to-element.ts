import { useEffect } from 'preact/hooks';

/**
 * Scrolls to an element and moves the focus to it.
 *
 * @returns false if no element of the page has this id
 */
export function goToElement(id: string): boolean {
  const element = document.getElementById(id);
  if (!element) return false;
  element.setAttribute('tabindex', '-1');
  element.focus({ preventScroll: true });
  element.scrollIntoView();
  return true;
}

/**
 * Scrolls to the section or part of the contract in the fragment of the address.
 *
 * @param isReady whether the contract is on the page
 * @param goTo scrolls to an element of the page
 */
export function useFragment(isReady: boolean, goTo: (id: string) => void): void {
  useEffect(() => {
    if (!isReady) return undefined;
    const follow = (): void => {
      const [, id] = /^#((?:section|part)-[\w.-]+)$/.exec(location.hash) ?? [];
      if (id !== undefined) goTo(id);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [isReady]);
}
