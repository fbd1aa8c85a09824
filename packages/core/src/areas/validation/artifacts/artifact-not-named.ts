import type { ContractRule } from '../rule.ts';
import { textsOf } from '../texts.ts';

export const artifactNotNamed: ContractRule = {
  reads: 'contract',
  code: 'ARTIFACT_NOT_NAMED',
  severity: 'warning',
  explanation: 'A task, test or interface must name each artifact.',
  hint: 'Name the file in the task, test or interface that uses it.',

  *check(contract) {
    const unnamed = new Map(contract.artifacts.map(({ filename }, at) => [filename, at]));
    for (const { text, kind } of textsOf(contract))
      if (kind !== 'file') for (const word of wordsOf(text)) unnamed.delete(word);
    for (const [filename, at] of unnamed)
      if (wordsOf(filename).length === 1)
        yield { pointer: `/artifacts/${at}`, message: 'Nothing in the contract names this artifact.' };
  },
};

/** The words of a text, split at the characters that can stand before or after a filename in a sentence. */
const wordsOf = (text: string): string[] =>
  text.split(/[\s"'`()[\]{}<>,;:!?#/]+/).map((word) => word.replace(/\.$/, ''));
