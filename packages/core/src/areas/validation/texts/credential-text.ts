import { findInTexts } from '../../credentials/scan.ts';
import { faultAt } from '../nodes.ts';
import type { ContractRule } from '../rule.ts';
import { textsOf } from '../texts.ts';

export const credentialText: ContractRule = {
  reads: 'contract',
  code: 'CREDENTIAL_TEXT',
  severity: 'error',
  explanation:
    'No text contains a credential. Everybody in the session can read the contract, and it cannot be deleted.',
  hint: 'Remove the credential and have it revoked. Write instead where each builder gets its own credential.',

  *check(contract) {
    const placed = textsOf(contract);
    const texts = placed.map(({ text }) => text);
    for (const { index, kind } of findInTexts(texts, 'likely'))
      yield faultAt(placed[index]?.place ?? null, `This text contains what looks like a credential: ${kind}.`);
  },
};
