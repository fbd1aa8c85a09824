import { nameKey } from '../../../kernel/name-key.ts';
import type { ContractRule } from '../rule.ts';
import { GENERATED_FILENAMES } from './filenames.ts';

const RESERVED: ReadonlySet<string> = new Set(GENERATED_FILENAMES.map(nameKey));

export const filenameReserved: ContractRule = {
  reads: 'contract',
  code: 'FILENAME_RESERVED',
  severity: 'error',
  explanation: `No artifact may have the name of a file that is generated from the contract: ${GENERATED_FILENAMES.join(', ')}.`,
  hint: 'Give the artifact another name.',

  *check({ artifacts }) {
    for (const [at, { filename }] of artifacts.entries())
      if (RESERVED.has(nameKey(filename)))
        yield {
          pointer: `/artifacts/${at}/filename`,
          message: 'The service generates a file with this name from every contract.',
        };
  },
};
