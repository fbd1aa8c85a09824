import { programWords } from '../../text/program-words.ts';
import { shellWord } from '../../text/visible.ts';
import type { Terminal } from '../terminal.ts';

/** The words of the command line that runs this copy of the program from any folder. */
export const ownWords = ({ programPath: [, path = ''] }: Pick<Terminal, 'programPath'>): readonly string[] =>
  programWords(path);

/** The same as one line of a shell. */
export const programLine = (terminal: Pick<Terminal, 'programPath'>): string =>
  ownWords(terminal).map(shellWord).join(' ');
