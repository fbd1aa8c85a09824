import { useEffect } from 'preact/hooks';
import { markedWords, route } from '../state/route.ts';

/** The name of the highlight in the style sheet. */
const HIGHLIGHT = 'marked-words';

/**
 * The selectors of the elements to which the page can scroll. The page scrolls to the first of these elements that
 * contains one of the words. Not used if the address names a section. Messages are not among them, because the list of
 * messages scrolls to a message.
 */
const TARGETS = ['.side-panel', '.contract-text', '.revision-reader:has(.contract-text)'];

/** The parts of these elements. The page scrolls to the part that contains the largest number of different words. */
const PARTS = '.part, .contract-section, .side-panel';

/**
 * Highlights the words of the address on the page of a session. Scrolls to them once for each record and set of words, as
 * soon as the page contains them. Uses the CSS Custom Highlight API instead of elements, so that other components do not
 * need the words.
 */
export function MarkWords() {
  const words = markedWords.value;
  const here = route.value;
  const record = here.page === 'session' ? here.record : null;
  const key = [record, ...words].join('\n');
  useEffect(() => {
    if (words.length === 0) return undefined;
    let hasScrolled = false;
    let frame = 0;
    const mark = (): void => {
      frame = 0;
      highlight(rangesIn(document.body, words));
      if (hasScrolled) return;
      const linked = location.hash.startsWith('#section-') ? [location.hash] : TARGETS;
      const targets = linked.flatMap((target) => document.querySelector(target) ?? []);
      const found = targets.map((target) => rangesIn(target, words));
      hasScrolled = scrollToWords(found.find((ranges) => ranges.length > 0) ?? []);
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(mark);
    };
    const observer = new MutationObserver(later);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    later();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      highlight([]);
    };
  }, [key]);
  return null;
}

/** Scrolls to the first of the marked words in an element. */
export const scrollToMarked = (element: Element): boolean => scrollToWords(rangesIn(element, markedWords.peek()));

function highlight(ranges: readonly Range[]): void {
  if ('highlights' in CSS) CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
}

/**
 * Returns the ranges of the words in the texts of an element. A word also matches at the beginning of a longer word; the
 * range then contains only the searched part.
 */
function rangesIn(root: Element, words: readonly string[]): Range[] {
  if (words.length === 0) return [];
  const literal = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${literal.join('|')})`, 'giu');
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      ranges.push(range);
    }
  return ranges;
}

/**
 * Scrolls to the first word in the part that contains the largest number of different words. If a folded element contains
 * the word, unfolds it. Returns false if there are no ranges.
 */
function scrollToWords(ranges: readonly Range[]): boolean {
  const wordsOf = new Map<Element | null, Set<string>>();
  for (const range of ranges) {
    const part = partOf(range);
    wordsOf.set(part, (wordsOf.get(part) ?? new Set()).add(range.toString().toLowerCase()));
  }
  const most = Math.max(...[...wordsOf.values()].map(({ size }) => size));
  const first = ranges.find((range) => wordsOf.get(partOf(range))?.size === most);
  const element = first?.startContainer.parentElement;
  if (!element) return false;
  const folded = element.closest('details');
  if (folded) folded.open = true;
  element.scrollIntoView({ block: 'center' });
  return true;
}

const partOf = ({ startContainer }: Range): Element | null => startContainer.parentElement?.closest(PARTS) ?? null;
