import { shellWord } from '../../text/shell-word.ts';
import type { Terminal } from '../terminal.ts';

/**
 * The command line that runs this copy of the program from any folder. `npx parley` is not safe, because in another
 * repository npx runs whatever package somebody has published under this name.
 */
export const programLine = ({ programPath: [, ...script] }: Pick<Terminal, 'programPath'>): string =>
  ['node', ...script].map(shellWord).join(' ');
