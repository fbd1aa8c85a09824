import { shellWord } from '../../text/shell-word.ts';
import type { Terminal } from '../terminal.ts';

/**
 * The command line that runs this copy of the program from any folder. `npx parley` is not safe: an agent works in another
 * repository, where npx would run a package of the npm registry that anybody could have published under this name.
 */
export const programLine = ({ programPath: [, ...script] }: Pick<Terminal, 'programPath'>): string =>
  ['node', ...script].map(shellWord).join(' ');
