/**
 * Functions that escape texts for Markdown. Readers see the text as it was written: no part of it becomes formatting, a
 * link or HTML.
 */
export { inline, prose } from './areas/rendering/markdown.ts';
