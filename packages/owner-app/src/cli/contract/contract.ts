import { Argument, type Command, Option } from 'commander';
import { addAgentFlags } from '../agent/wait.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

const ACTIONS = ['pull', 'check', 'export', 'diff'] as const;
type Action = (typeof ACTIONS)[number];

const MORE = `
Examples:
  parley contract pull --agents-md             where the agent works: with its token, as parley wait
  parley contract pull SESSION                 with the owner key
  parley contract check --peer ../bank         in CI and before a commit: offline
  parley contract check --online --junit contract.xml
  parley contract export --to generated       JSON Schema, OpenAPI 3.1 and AsyncAPI 3, from the file of this repository
  parley contract diff --against openapi.yaml what the provider publishes, compared with what was agreed

pull writes the approved contract to .parley/contract.json and CONTRACT.md, and with --agents-md a block between two marks of AGENTS.md and
CLAUDE.md. Commit the files. check compares them with their hashes, with the certificate in .parley/certificate.json if there is one, with the
files of the other side, and with what the service calls approved. Exit codes of check and diff: ${EXIT.OK} nothing differs, ${EXIT.MISMATCH} something
does, for diff in a way that breaks a consumer.`;

interface Flags {
  readonly folder?: string;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly agentsMd?: boolean;
  readonly role?: 'agent_a' | 'agent_b';
  readonly peer?: string;
  readonly online?: boolean;
  readonly key?: string;
  readonly junit?: string;
  readonly json?: boolean;
  readonly to?: string;
  readonly against?: string;
}

/** The actions that take a flag. A flag that is not listed works with every action. */
const ACTIONS_OF: Readonly<Partial<Record<keyof Flags, readonly Action[]>>> = {
  agentsMd: ['pull'],
  role: ['pull', 'diff'],
  peer: ['check'],
  online: ['check'],
  key: ['check'],
  junit: ['check'],
  to: ['export'],
  against: ['diff'],
  url: ['pull', 'check'],
  tokenFile: ['pull', 'check'],
};

/** Adds `parley contract`, which keeps the approved contract in the repositories that build it. */
export function addContract(program: Command, terminal: Terminal): void {
  const command = program
    .command('contract')
    .description(
      'Keep the approved contract in the repositories that build it: pull it, check it offline, export it, compare it.',
    )
    .addArgument(
      new Argument(
        '<action>',
        'pull: write the files; check: compare them with their hashes; export: write what other tools read; diff: compare what the provider publishes',
      ).choices(ACTIONS),
    )
    .argument(
      '[session]',
      'pull, check --online: ask for this session with the owner key, not with the token; export, diff: the session, or a file that pull wrote (default: that of the repository)',
    )
    .option('--folder <folder>', 'the repository (default: .)')
    .option('--agents-md', 'pull: also write the block in AGENTS.md and CLAUDE.md')
    .addOption(
      new Option(
        '--role <role>',
        'pull: whose repository it is (default: the side of the token); diff: who publishes',
      ).choices(['agent_a', 'agent_b']),
    )
    .option(
      '--peer <path_or_url>',
      'check: the repository or file of the other side, which must have the same revision',
    )
    .option('--online', 'check: ask the service which revision is approved')
    .option('--key <file_or_url>', 'check: the key set that you trust, for .parley/certificate.json')
    .option('--junit <file>', 'check: also write the result as JUnit XML')
    .option('--to <folder>', 'export: the folder for the files')
    .option('--against <file>', 'diff: the OpenAPI document that the provider publishes, as YAML or JSON');
  addAgentFlags(command)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', MORE)
    .action(async (action: Action, session: string | undefined, flags: Flags) => {
      requireOwnFlags(action, flags);
      if (session !== undefined && (flags.url !== undefined || flags.tokenFile !== undefined))
        throw wrongUsage(
          'With a session the owner key is used, with PARLEY_URL: leave --url and --token-file out, or the session.',
        );
      const given = { folder: '.', ...flags, session };
      if (action === 'pull') return (await import('./pull.ts')).pull(terminal, given);
      if (action === 'check') return (await import('./check.ts')).check(terminal, given);
      if (action === 'export') return (await import('./export.ts')).exportContract(terminal, given);
      return (await import('./diff.ts')).diffContract(terminal, given);
    });
}

function requireOwnFlags(action: Action, flags: Flags): void {
  for (const [flag, actions] of Object.entries(ACTIONS_OF))
    if (flag in flags && !actions.includes(action))
      throw wrongUsage(
        `parley contract ${action} takes no --${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}. Only ${actions.join(' and ')} ${actions.length === 1 ? 'does' : 'do'}.`,
      );
}
