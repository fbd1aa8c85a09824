import type { Check } from './check.ts';
import type { Deployment } from './deployment.ts';
import { reasonOf } from './reason.ts';
import { fail, type Result } from './result.ts';
import { secretsRemover } from './secrets.ts';

/** A finding under the name of its check. */
export interface CheckResult extends Result {
  readonly name: string;
}

/**
 * Makes the checks one after another: some would disturb each other. What does not apply is left out.
 *
 * @param onResult hears of each at once: some take seconds
 */
export async function runChecks(
  checks: readonly Check[],
  deployment: Deployment,
  onResult: (named: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const withoutSecrets = secretsRemover(deployment);
  const all: CheckResult[] = [];
  for (const { name, run } of checks) {
    const result = await resultOf(run, deployment);
    if (!result) continue;
    const { standing, found, advice } = result;
    const named = {
      name,
      standing,
      found: withoutSecrets(found),
      ...(advice === undefined ? {} : { advice: withoutSecrets(advice) }),
    };
    all.push(named);
    onResult(named);
  }
  return all;
}

async function resultOf(run: Check['run'], deployment: Deployment): Promise<Result | undefined> {
  try {
    return await run(deployment);
  } catch (error) {
    return fail(`could not be looked at: ${reasonOf(error)}`, 'Mend what is above first, then run the doctor again.');
  }
}
