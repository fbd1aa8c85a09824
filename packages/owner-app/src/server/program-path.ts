import { fileURLToPath } from 'node:url';

/**
 * Path of the file that runs the command `parley` of this package. The relative path is the same from the source in
 * `src` and from the build in `dist`.
 */
export const programPath = (): string => fileURLToPath(new URL('../../bin/parley.js', import.meta.url));
