import { nameKey } from '../../../kernel/name-key.ts';
import type { ContractRule } from '../rule.ts';

export const filenameRepeated: ContractRule = {
  reads: 'contract',
  code: 'FILENAME_REPEATED',
  severity: 'error',
  explanation: 'Filenames of artifacts must be unique; capital and small letters count as equal.',
  hint: 'Give one of the two artifacts another filename.',

  *check({ artifacts }) {
    const firstOf = new Map<string, number>();
    for (const [at, { filename }] of artifacts.entries()) {
      const first = firstOf.get(nameKey(filename));
      if (first === undefined) firstOf.set(nameKey(filename), at);
      else yield { pointer: `/artifacts/${at}/filename`, message: `/artifacts/${first} already has this filename.` };
    }
  },
};
