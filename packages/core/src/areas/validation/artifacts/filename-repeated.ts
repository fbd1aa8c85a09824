import type { ContractRule } from '../rule.ts';
import { filenameKey } from './filenames.ts';

export const filenameRepeated: ContractRule = {
  reads: 'contract',
  code: 'FILENAME_REPEATED',
  severity: 'error',
  explanation: 'Filenames of artifacts must be unique; capital and small letters count as equal.',
  hint: 'Give one of the two artifacts another filename.',

  *check({ artifacts }) {
    const firstOf = new Map<string, number>();
    for (const [at, { filename }] of artifacts.entries()) {
      const first = firstOf.get(filenameKey(filename));
      if (first === undefined) firstOf.set(filenameKey(filename), at);
      else yield { pointer: `/artifacts/${at}/filename`, message: `/artifacts/${first} already has this filename.` };
    }
  },
};
