import { plural } from '@parley/core/text';
import type { Page } from '../../text/page.ts';
import { padText, wrapText } from '../../text/table.ts';
import { visible } from '../../text/visible.ts';
import { secretsRemover } from '../terminal.ts';
import type { Check, Deployment } from './deployment.ts';
import { fail, type Result, reasonOf } from './result.ts';

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

const WORDS = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const;
const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const NAME_COLUMNS = 18;
const INDENT = 6;

export function resultLines({ name, standing, found, advice }: CheckResult, { columns, paint }: Page): string[] {
  const margin = ' '.repeat(INDENT + NAME_COLUMNS);
  const width = Math.max(20, columns - margin.length);
  const head = paint(COLOURS[standing], padText(WORDS[standing], INDENT)) + padText(name, NAME_COLUMNS);
  const [first = '', ...more] = wrapText(visible(found), width, 'keep');
  const next = advice === undefined ? [] : wrapText(`→ ${visible(advice)}`, width, 'keep');
  return [`${head}${first}`, ...[...more, ...next].map((line) => margin + line)];
}

export function summaryLine(all: readonly CheckResult[], { paint }: Page): string {
  const [fails = 0, warnings = 0] = (['fail', 'warn'] as const).map(
    (which) => all.filter(({ standing }) => standing === which).length,
  );
  if (!fails && !warnings) return paint('green', 'No faults.');
  return `${plural(fails, 'failure')}, ${plural(warnings, 'warning')}.`;
}
