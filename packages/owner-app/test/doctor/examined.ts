import type { CheckResult } from '../../src/cli/doctor/run-checks.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY } from '../running-app.ts';

export interface Report {
  readonly code: number;
  /** What a check found; undefined where it was not made. */
  of(name: string): CheckResult | undefined;
  /** The standing of every check that was made. */
  readonly standings: Readonly<Record<string, string>>;
  /** Everything that was printed. */
  readonly output: string;
}

/** What `parley doctor --json` says with an environment. */
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
