import type { ContractRule } from '../rule.ts';
import { filenameFault } from './filenames.ts';

export const filenameUnsafe: ContractRule = {
  reads: 'contract',
  code: 'FILENAME_UNSAFE',
  severity: 'error',
  explanation: 'The filename of an artifact must be valid on every file system.',
  hint: 'Use letters, digits, dots, dashes and underscores, and no folder.',

  *check({ artifacts }) {
    for (const [at, { filename }] of artifacts.entries()) {
      const fault = filenameFault(filename);
      if (fault !== null) yield { pointer: `/artifacts/${at}/filename`, message: `A filename ${fault}.` };
    }
  },
};
