import { PACKAGE_TO_RUN } from './package-to-run.ts';

/**
 * The words of a command line that runs an installed `parley` in any repository. npx is not safe there, with a version and with
 * `--prefix` neither: it takes the package, its registry, `node` and `sh` from the `node_modules` and the `.npmrc` of the repository.
 */
export const INSTALLED: readonly string[] = ['parley'];

/**
 * The line that installs the command `parley` for a user, if a command line needs it. npm reads no settings of the folder in which
 * this line runs.
 */
export const installLine = ([program]: readonly string[]): string | undefined =>
  program === INSTALLED[0] ? `npm install --global ${PACKAGE_TO_RUN}` : undefined;

/**
 * The words of a command line that runs this copy of the program from any folder of this machine, or the installed one if npx keeps
 * this copy.
 *
 * @param path the file that runs the program. npx removes from its cache, in a folder `_npx`, what it has not used for long
 */
export const programWords = (path: string): readonly string[] =>
  /[\\/]_npx[\\/]/.test(path) ? INSTALLED : ['node', path];

/**
 * The words that run `parley` where an agent works that reaches the service at `url`: a loopback address is reached from this
 * machine only, every other one from machines that may have no copy of this program.
 *
 * @param own what runs it on this machine
 */
export const wordsToJoin = (url: string, own: readonly string[]): readonly string[] =>
  isLoopback(url) ? own : INSTALLED;

export const isLoopback = (url: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
