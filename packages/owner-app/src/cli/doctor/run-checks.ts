import type { Check } from './check.ts';
import type { Deployment } from './deployment.ts';
import { reasonOf } from './reason.ts';
import { broken, type Finding } from './result.ts';
import { secretsRemover } from './secrets.ts';

/** A finding under the name of its check. */
export interface Examined extends Finding {
  readonly name: string;
}

/**
 * Makes the checks one after another: some would disturb each other. What does not apply is left out.
 *
 * @param onExamined hears of each at once: some take seconds
 */
export async function examine(
  checks: readonly Check[],
  deployment: Deployment,
  onExamined: (examined: Examined) => void,
): Promise<readonly Examined[]> {
  const withoutSecrets = secretsRemover(deployment);
  const all: Examined[] = [];
  for (const { name, look } of checks) {
    const finding = await made(look, deployment);
    if (!finding) continue;
    const { standing, found, advice } = finding;
    const examined = {
      name,
      standing,
      found: withoutSecrets(found),
      ...(advice === undefined ? {} : { advice: withoutSecrets(advice) }),
    };
    all.push(examined);
    onExamined(examined);
  }
  return all;
}

async function made(look: Check['look'], deployment: Deployment): Promise<Finding | undefined> {
  try {
    return await look(deployment);
  } catch (error) {
    return broken(`could not be looked at: ${reasonOf(error)}`, 'Mend what is above first, then run the doctor again.');
  }
}
