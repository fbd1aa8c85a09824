import { PACKAGE_TO_RUN } from './package-to-run.ts';

/** The words of a command line that runs `parley` on every machine that has npx. */
export const PUBLISHED: readonly string[] = ['npx', '-y', PACKAGE_TO_RUN];

/**
 * The words of a command line that runs this copy of the program from any folder of this machine. `npx parley` is not safe, because
 * in another repository npx runs whatever package somebody has published under this name.
 *
 * @param path the file that runs the program. npx removes from its cache, in a folder `_npx`, what it has not used for long
 */
export const programWords = (path: string): readonly string[] =>
  /[\\/]_npx[\\/]/.test(path) ? PUBLISHED : ['node', path];

/**
 * The words that run `parley` where an agent works that reaches the service at `url`: a loopback address is reached from this
 * machine only, every other one from machines that may have no copy of this program.
 *
 * @param own what runs it on this machine
 */
export const wordsToJoin = (url: string, own: readonly string[]): readonly string[] =>
  isLoopback(url) ? own : PUBLISHED;

export const isLoopback = (url: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
