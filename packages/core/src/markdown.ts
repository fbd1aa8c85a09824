/** Functions that escape texts for Markdown, so that no part of a text becomes formatting, a link or HTML. */
export { inline, prose } from './areas/rendering/markdown.ts';
