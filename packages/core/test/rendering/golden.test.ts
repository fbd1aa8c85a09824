import { expect, test } from 'vitest';
import { renderContract } from '../../src/areas/rendering/contract.ts';
import { renderHandoff } from '../../src/areas/rendering/handoff.ts';
import { FULL_CONTRACT } from '../full-contract/full-contract.ts';
import { EXAMPLE_FACTS } from './facts.ts';
import { ATTACKS } from './nasty-texts.ts';
import { withTexts } from './texts-of-contract.ts';

/**
 * Compares rendered documents with the files in `golden/`. After an intended change, run `pnpm vitest run rendering/golden -u` and
 * review the difference. In CI no file is written, so a missing or different file fails the test.
 */

test('contract.md reads as before', async () => {
  await expect(renderContract(FULL_CONTRACT, EXAMPLE_FACTS.decisions)).toMatchFileSnapshot('golden/contract.md');
});

test.each(['agent_a', 'agent_b'] as const)('the handoff of %s reads as before', async (builder) => {
  const file = `golden/handoff-${builder.replace('_', '-')}.md`;
  await expect(renderHandoff(FULL_CONTRACT, builder, EXAMPLE_FACTS)).toMatchFileSnapshot(file);
});

test('a contract full of attacks reads as before', async () => {
  let at = 0;
  const hostile = withTexts(FULL_CONTRACT, () => ATTACKS[at++ % ATTACKS.length] ?? '');
  await expect(renderContract(hostile)).toMatchFileSnapshot('golden/hostile-contract.md');
});
