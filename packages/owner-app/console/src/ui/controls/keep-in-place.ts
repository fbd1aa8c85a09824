/**
 * Stores the position of an element in the window: of the focused element or, if no visible element is focused, of the
 * element in the middle of the window.
 *
 * @returns a function that scrolls the page so that the element has the same position again, after the page has changed
 * its width
 */
export function keepInPlace(): () => void {
  const element = elementToKeep();
  if (!element) return () => undefined;
  const { top } = element.getBoundingClientRect();
  return () => scrollBy(0, element.getBoundingClientRect().top - top);
}

function elementToKeep(): Element | null {
  const main = document.querySelector('main');
  const { activeElement } = document;
  if (!main) return null;
  if (activeElement && activeElement !== main && main.contains(activeElement) && isOnScreen(activeElement))
    return activeElement;
  // At the top of the page, scrolling would hide the top bar, so no element is kept in place.
  if (scrollY === 0) return null;
  const { left, width } = main.getBoundingClientRect();
  const middle = document.elementFromPoint(left + width / 2, innerHeight / 2);
  return middle && main.contains(middle) ? middle : null;
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
