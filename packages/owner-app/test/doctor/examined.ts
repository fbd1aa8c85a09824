import type { CheckResult } from '../../src/cli/doctor/run-checks.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY } from '../running-app.ts';

export interface Report {
  readonly code: number;
  /** Returns the result of a check. Undefined if the check did not run. */
  of(name: string): CheckResult | undefined;
  /** The result of every check that ran, by its name. */
  readonly standings: Readonly<Record<string, string>>;
  readonly output: string;
}

/** Runs `parley doctor --json` with these environment variables. */
export async function examined(
  environment: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<Report> {
  const terminal = fakeTerminal({ PORT: '0', PARLEY_OWNER_KEY: KEY, ...environment });
  const code = await runCli(['doctor', '--json', ...flags], terminal);
  const { checks }: { checks: CheckResult[] } = JSON.parse(terminal.output());
  return {
    code,
    of: (name) => checks.find((check) => check.name === name),
    standings: Object.fromEntries(checks.map(({ name, standing }) => [name, standing])),
    output: terminal.output() + terminal.errors(),
  };
}
