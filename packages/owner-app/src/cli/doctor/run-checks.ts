import { secretsRemover } from '../secrets-remover.ts';
import type { Check } from './check.ts';
import type { Deployment } from './deployment.ts';
import { reasonOf } from './reason.ts';
import { fail, type Result } from './result.ts';

export interface CheckResult extends Result {
  readonly name: string;
}

/**
 * Runs the checks one after another, because some checks would disturb each other. Checks that do not apply have no
 * result.
 *
 * @param onResult called with each result as soon as its check has ended, because some checks take seconds
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
    return fail(
      `the check failed: ${reasonOf(error)}`,
      'Fix the reason of this failure and the faults listed above, then run parley doctor again.',
    );
  }
}
