import { ATTRIBUTES } from './attributes.ts';
import { ELEMENTS } from './elements.ts';
import { MARKDOWN, UNCLOSED } from './markdown.ts';

export { UNCLOSED };

/** The injections that can be combined in one text. */
export const INJECTIONS: readonly string[] = [...ELEMENTS, ...ATTRIBUTES, ...MARKDOWN];
