import { fileURLToPath } from 'node:url';

/** Path of the file that runs the command `parley` of this package. The path is valid from `src` and from `dist`. */
export const programPath = (): string => fileURLToPath(new URL('../../bin/parley.js', import.meta.url));
