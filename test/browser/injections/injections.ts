import { ATTRIBUTES } from './attributes.ts';
import { ELEMENTS } from './elements.ts';
import { MARKDOWN, UNCLOSED } from './markdown.ts';

export { UNCLOSED };

export const INJECTIONS: readonly string[] = [...ELEMENTS, ...ATTRIBUTES, ...MARKDOWN];
