/**
 * Remembers the position of an element in the window. This is the focused element; if there is none and the page is scrolled, the
 * element in the middle of the window.
 *
 * @returns a function that scrolls the page so that the element is at the same position again, after the width of the text has
 *   changed
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
  // At the top of the page, the user is not reading the middle of the page, and scrolling would hide the top bar of the console.
  if (scrollY === 0) return null;
  const { left, width } = main.getBoundingClientRect();
  const middle = document.elementFromPoint(left + width / 2, innerHeight / 2);
  return middle && main.contains(middle) ? middle : null;
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
