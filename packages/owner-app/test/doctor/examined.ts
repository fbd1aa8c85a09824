import type { CheckResult } from '../../src/cli/doctor/run-checks.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY } from '../running-app.ts';

export interface Report {
  readonly code: number;
  /** The result of a check; undefined if the check did not run. */
  of(name: string): CheckResult | undefined;
  /** By name, the result of every check that ran. */
  readonly standings: Readonly<Record<string, string>>;
  /** Everything that the command printed. */
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
