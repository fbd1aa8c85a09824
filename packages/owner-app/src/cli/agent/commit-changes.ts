import { devNull } from 'node:os';
import type { Answer } from '@parley/core/client';
import type { Command } from 'commander';
import { wrapText } from '../../text/table.ts';
import { jsonText, visible, visibleLine } from '../../text/visible.ts';
import { connectOwner } from '../client/owner-client.ts';
import { CliError, commandFailed, EXIT, wrongUsage } from '../exit-codes.ts';
import { git } from '../git.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

/** Maximum number of paths that a handshake declares for a compared commit. */
const MAX_PATHS = 200;

const MORE = `
Examples:
  parley commit-changes a1b2c3d                      what differs between a1b2c3d and HEAD
  parley commit-changes --of SESSION --role agent_a  compares what agent_a declares with git

An agent sends the printed JSON as \`changes\` of verify_handshake, so that a pass on the older commit can be carried over. With --of,
the owner compares the paths that a handshake declares with the repository in --folder; a difference ends the command with
exit code ${EXIT.MISMATCH}. Nothing is fetched: both commits must be in the repository.`;

interface Flags {
  readonly folder: string;
  readonly to: string;
  readonly of?: string;
  readonly role?: string;
}

/** Adds `parley commit-changes`, which lists from git the paths that differ between two commits. */
export function addCommitChanges(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('commit-changes')
      .description(
        'List from git the paths that differ from an earlier commit, for a handshake, or compare them with one.',
      ),
  );
  command
    .argument('[commits...]', 'the earlier commits, such as those on which scenarios passed')
    .option('--folder <folder>', 'the repository', '.')
    .option('--to <commit>', 'the later commit', 'HEAD')
    .option('--of <session>', 'compare the handshake of this session instead; needs the owner key')
    .option('--role <role>', 'with --of: whose handshake, agent_a or agent_b')
    .addHelpText('after', MORE)
    .action(async (commits: readonly string[], flags: Flags) => {
      if (flags.of !== undefined) return compareDeclared(terminal, command, { ...flags, of: flags.of });
      if (commits.length === 0) throw wrongUsage('Name at least one commit, or a session with --of.');
      const changes: Record<string, readonly string[]> = {};
      for (const since of commits) {
        const { sha, paths } = await changedPaths(flags.folder, since, flags.to);
        if (paths.length > MAX_PATHS)
          throw commandFailed(
            `${paths.length} paths differ from ${since}, and a handshake declares at most ${MAX_PATHS}: let the scenarios run again.`,
          );
        changes[sha] = paths;
      }
      terminal.out(jsonText(changes));
    });
}

/** Against settings of the repository that would run a program or leave out paths. */
const DIFF_FLAGS = [
  ...['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'],
  ...['--no-relative', '--ignore-submodules=none', `-O${devNull}`],
];

/** The beginning of the id of a commit, as a handshake declares it. */
const COMMIT_ID = /^[0-9a-f]{7,64}$/i;

/** The whole id of the earlier commit, and the paths that differ in the later one. A renamed file counts as two paths. */
async function changedPaths(folder: string, since: string, to: string) {
  const [sha, later] = [await commitOf(folder, since), await commitOf(folder, to)];
  const { code, out } = await git(folder, 'diff', ...DIFF_FLAGS, sha, later, '--');
  if (code !== 0) throw commandFailed(`git could not compare ${sha} with ${later}.`);
  return { sha, paths: out.split('\0').filter((path) => path !== '') };
}

async function commitOf(folder: string, name: string): Promise<string> {
  const { code, out } = await git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  if (code === undefined) throw wrongUsage(`git cannot be run in ${visible(folder)}.`);
  if (code !== 0)
    throw wrongUsage(`The repository in ${visible(folder)} has no commit ${visible(name)}. Fetch it first.`);
  const id = out.trim();
  // A branch or a tag may have the name of a commit, and git then takes the branch or the tag.
  if (COMMIT_ID.test(name) && !id.startsWith(name.toLowerCase()))
    throw wrongUsage(
      `A branch or tag of the repository in ${visible(folder)} names ${name}, but is another commit: ${id}.`,
    );
  return id;
}

interface OfSession extends Flags {
  readonly of: string;
}

async function compareDeclared(terminal: Terminal, command: Command, { folder, of, role }: OfSession): Promise<void> {
  if (role !== 'agent_a' && role !== 'agent_b') throw wrongUsage('--role must be agent_a or agent_b.');
  const client = await connectOwner(terminal);
  const board = await client.call('board', { session_id: await client.wholeId(of) });
  const handshake = board.handshakes[role];
  const since = Object.keys(handshake?.changes ?? {});
  if (!handshake || since.length === 0) throw commandFailed(`${role} declares no changes in its handshake.`);
  const faults: string[] = [];
  for (const commit of since) faults.push(...(await differences(folder, handshake, commit)));
  const lines = faults.flatMap((fault) => {
    const [first = '', ...more] = wrapText(visibleLine(`✘ ${role}: ${fault}`), terminal.columns - 2);
    return [first, ...more.map((line) => `  ${line}`)];
  });
  const same = [`✔ git has exactly the paths that ${role} declares`];
  printAnswer(terminal, command, { role, ok: faults.length === 0, differences: faults }, () =>
    faults.length > 0 ? lines : same,
  );
  if (faults.length > 0) throw new CliError(EXIT.MISMATCH, `git differs from what ${role} declares`);
}

type Handshake = NonNullable<Answer<'board'>['handshakes']['agent_a']>;

/** In words: the paths that only git has, and those that only the handshake has. */
async function differences(folder: string, handshake: Handshake, commit: string): Promise<string[]> {
  const declared = handshake.changes?.[commit] ?? [];
  const { paths } = await changedPaths(folder, commit, handshake.commit);
  const hidden = paths.filter((path) => !declared.includes(path));
  const invented = declared.filter((path) => !paths.includes(path));
  return [
    ...hidden.map((path) => `changed since ${commit.slice(0, 12)} and not declared: ${path}`),
    ...invented.map((path) => `declared, and not changed since ${commit.slice(0, 12)}: ${path}`),
  ];
}
