import * as characters from './characters.ts';
import * as directives from './directives.ts';
import * as markdown from './markdown.ts';
import { SAFE_NAMES, UNSAFE_NAMES } from './names.ts';

export const HOSTILE_TEXTS: Readonly<Record<string, readonly string[]>> = {
  ...directives,
  ...markdown,
  ...characters,
  SAFE_NAMES,
  UNSAFE_NAMES,
};

export const ALL_TEXTS: readonly string[] = Object.values(HOSTILE_TEXTS).flat();
