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
 * Scrolls to the element whose id is the fragment of the address, when the page opens and when the fragment changes.
 *
 * @param isReady whether the elements are on the page
 * @param ids matches the ids that the calling component shows
 * @param goTo scrolls to an element of the page
 */
export function useFragment(isReady: boolean, ids: RegExp, goTo: (id: string) => void): void {
  useEffect(() => {
    if (!isReady) return undefined;
    const follow = (): void => {
      const id = location.hash.slice(1);
      if (ids.test(id)) goTo(id);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [isReady]);
}

export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
