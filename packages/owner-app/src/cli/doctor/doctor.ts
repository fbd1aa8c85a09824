import type { Command } from 'commander';
import type { Settings } from '../../server/settings/settings.ts';
import { jsonText } from '../../text/visible.ts';
import { CliError, CliOutcome, EXIT, wrongUsage } from '../exit-codes.ts';
import { withJson } from '../print/answer.ts';
import { addSettingFlags } from '../service/setting-flags.ts';
import { type Terminal, VERSION } from '../terminal.ts';
import { type CheckResult, resultLines, summaryLine } from './run-checks.ts';

const DEFAULT_POLLS = 1_000;

const EXAMPLES = `
Examples:
  DATABASE_URL=postgres://… PARLEY_PUBLIC_URL=https://… parley doctor
  PARLEY_TOKEN=prt_… parley doctor --long-poll --json

The command reads the settings of a server, from the environment or flags, and changes nothing. Exit codes: ${EXIT.OK} no check
fails, ${EXIT.REFUSED} a check fails (with --strict: or warns), ${EXIT.USAGE} a setting cannot be read.`;

interface DoctorFlags {
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly longPoll?: boolean;
  readonly polls?: string;
}

export function addDoctor(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('doctor').description('Check a deployment for faults, and say how to fix them.'),
  )
    .option('--strict', 'count warnings as failures')
    .option(
      '--polls <number>',
      `largest number of agents that wait at one process at the same time (default ${DEFAULT_POLLS})`,
    )
    .option(
      '--long-poll',
      'also try, through the proxy, a request that waits 25 s; needs a session token in PARLEY_TOKEN',
    );
  const settings = addSettingFlags(command, terminal);
  command.addHelpText('after', EXAMPLES);
  command.action(async (flags: DoctorFlags) => {
    const polls = readPolls(flags.polls);
    const read = readable(settings);
    const show = (result: CheckResult): void => {
      if (!flags.json) for (const line of resultLines(result, terminal)) terminal.out(line);
    };
    show(read.result);
    const rest = read.settings
      ? await runAllChecks(read.settings, terminal, { polls, longPoll: flags.longPoll === true, show })
      : [];
    const all = [read.result, ...rest];
    if (flags.json) terminal.out(jsonText({ ok: !hasFault(all, flags.strict), checks: all }));
    else terminal.out(summaryLine(all, terminal));
    if (!read.settings) throw new CliOutcome(EXIT.USAGE);
    if (hasFault(all, flags.strict)) throw new CliOutcome(EXIT.REFUSED);
  });
}

function readPolls(text = String(DEFAULT_POLLS)): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw wrongUsage('--polls expects a whole number from 1 to 9,999,999.');
  return Number(text);
}

/** Reads the settings. If a setting is not valid, no other check can run. */
function readable(settings: () => Settings): { readonly settings?: Settings; readonly result: CheckResult } {
  try {
    return { settings: settings(), result: { name: 'settings', standing: 'ok', found: 'readable' } };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const advice = 'Correct the setting; docs/deploy.md lists all settings.';
    return { result: { name: 'settings', standing: 'fail', found: error.message, advice } };
  }
}

/** Imports the checks here and not at the top of the file, so that other commands start faster. */
async function runAllChecks(
  settings: Settings,
  { environment }: Terminal,
  { polls, longPoll, show }: { readonly polls: number; readonly longPoll: boolean; show(result: CheckResult): void },
): Promise<readonly CheckResult[]> {
  const [{ openDeployment }, { runChecks }, { CHECKS }] = await Promise.all([
    import('./deployment.ts'),
    import('./run-checks.ts'),
    import('./checks.ts'),
  ]);
  const deployment = await openDeployment(settings, VERSION, { polls, longPoll, token: environment.PARLEY_TOKEN });
  try {
    return await runChecks(CHECKS, deployment, show);
  } finally {
    await deployment.close();
  }
}

const hasFault = (all: readonly CheckResult[], isStrict = false): boolean =>
  all.some(({ standing }) => standing === 'fail' || (isStrict && standing === 'warn'));
