import { fileURLToPath } from 'node:url';

/**
 * Path of a file of this package. The folder of the package is two levels above this module in the source, in the build, and in
 * the bundle of `packages/cli`, which contains this module in one of the files of `dist/app`.
 */
export const packageFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
