import type { Answer, OwnerInput } from '@parley/core/client';
import { isRecord, readJsonFile } from '@parley/core/json';
import { type Command, Option } from 'commander';
import { readRegularFile } from '../../server/access/owner-key.ts';
import type { Json } from '../../text/read-as.ts';
import { placeholdersIn, sessionTemplate, TEMPLATES } from '../../text/templates/session-templates.ts';
import { jsonText } from '../../text/visible.ts';
import { connectOwner } from '../client/owner-client.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import type { FromFlags } from './create-from.ts';
import { createInput, listIn, MEMBER_FLAGS, recordIn, type SessionFlags } from './create-input.ts';

/** A small example of a session. */
const EXAMPLE: Json = {
  title: 'Refunds',
  objective: 'A buyer gets the money back within a day.',
  guardrails: ['No route or event that customers use today may change or stop working.'],
  requirements: [
    {
      requirement_id: 'req-1',
      text: 'No refund is paid twice.',
      acceptance_criteria: ['Two requests with one key move the money once.'],
    },
  ],
  round_limit: 10,
  first_turn: 'agent_a',
  fixture_version: 'fixtures-1',
  environment: 'the test systems of both services',
  agents: {
    agent_a: { name: 'Shop agent', repository: 'example/shop', service: 'shop' },
    agent_b: { name: 'Bank agent', repository: 'example/bank', service: 'bank' },
  },
};

/** The file that `--template` prints: a template, or without a kind the example, with what the flags say. */
export async function templateFile(kind: true | string, flags: SessionFlags): Promise<Json> {
  const chosen = kind === true ? undefined : await sessionTemplate(kind);
  return chosen ? { ...chosen, session: createInput({ ...chosen.session }, flags) } : createInput(EXAMPLE, flags);
}

/** Maximum number of members that a refusal names. */
const MAX_LEFT = 20;

/** Refuses the session of a file in which words of a template were left. */
export function refusePlaceholders(session: Json, file: string): void {
  const left = placeholdersIn(session);
  if (left.length === 0) return;
  const lines = left.slice(0, MAX_LEFT).map(({ path, words }) => `  ${path}: ${words}`);
  const more = left.length > MAX_LEFT ? [`  and ${left.length - MAX_LEFT} more`] : [];
  const what = `${file} still has words that its template left to you. Replace them, or put them into backticks:`;
  throw wrongUsage([what, ...lines, ...more].join('\n'));
}

const EXAMPLES = `
Examples:
  parley create --template > session.json        a file to fill in
  parley create --template api-change > session.json
  parley create --file session.json              also takes a mission file
  parley create --from specs/003-refunds         a folder of Spec Kit, OpenSpec or Kiro, or any Markdown
  gh issue view 12 --json title,body,url | parley create --from - --yes
  parley create --from notes.md --dry-run > session.json
  parley create --title "Refunds" --objective "A buyer gets the money back within a day." \\
    --requirement "req-1: No refund is paid twice." --agent-a "Shop agent" --agent-b "Bank agent"
  parley create --file mail.json --group refunds --requirements-of SESSION
  parley create --file next.json --followups-of SESSION     what was noted for later there

--requirement and --guardrail add to what a file, a source or a template has; one with the id of a requirement changes its text.

Templates: each has requirements, topics to decide and scenarios to test; replace the words in angle brackets. The profile is light,
of db-migration full; --profile chooses another.
${TEMPLATES.map(({ name, for: purpose }) => `  ${name.padEnd(17)} ${purpose}`).join('\n')}`;

interface CreateFlags extends SessionFlags, FromFlags {
  readonly file?: string;
  readonly template?: true | string;
  readonly requirementsOf?: string;
  readonly followupsOf?: string;
  readonly from?: string;
}

const repeated = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

/** Adds `parley create`. A file, flags, or both describe the session. */
export function addCreate(program: Command, terminal: Terminal): void {
  const command = withJson(program.command('create').description('Open a session. It is a draft until you start it.'))
    .option('--file <json>', 'the session to create: a file as `--template` prints it, or a mission')
    .addOption(
      new Option(
        '--template [kind]',
        'print a file to fill in, and create nothing; without a kind, a small example',
      ).choices(TEMPLATES.map(({ name }) => name)),
    )
    .addOption(
      new Option(
        '--from <source>',
        'a specification to take the session from: a file, a folder, an address, or - for standard input',
      ).conflicts(['file', 'requirementsOf', 'followupsOf']),
    )
    .option('--dry-run', 'print the session as a file for `--file`, and create nothing')
    .option('--yes', 'with `--from`: create the session without asking')
    .option('--guardrail <text>', 'what must not happen (may be repeated)', repeated)
    .option('--requirement <id: text>', 'what must be met (may be repeated)', repeated)
    .option(
      '--acceptance <id: text>',
      'how you judge whether the requirement with this id is met (may be repeated)',
      repeated,
    );
  for (const { options } of MEMBER_FLAGS) for (const option of options) command.addOption(option);
  addTakenOver(command);
  for (const letter of ['a', 'b']) {
    command.option(`--agent-${letter} <name>`, `name of agent ${letter}`);
    command.option(`--agent-${letter}-repository <text>`, 'the repository of the agent');
    command.option(`--agent-${letter}-service <text>`, 'the service that the agent builds');
  }
  command.addHelpText('after', EXAMPLES).action((flags: CreateFlags) => create(terminal, command, flags));
}

/** Adds the flags that take over what another session has. */
function addTakenOver(command: Command): void {
  command
    .addOption(
      new Option(
        '--requirements-of <session_id>',
        'copy the requirements of this session, with their ids, such as one of the same group',
      ).conflicts('requirement'),
    )
    .option(
      '--followups-of <session_id>',
      'add what was noted for later in this session: faults and deviations as requirements, questions as topics',
    );
}

async function create(terminal: Terminal, command: Command, { template, ...flags }: CreateFlags): Promise<void> {
  if (template !== undefined) return terminal.out(jsonText(await templateFile(template, flags), 2));
  const input = await inputOf(terminal, flags);
  if (input === undefined) return;
  const client = await connectOwner(terminal);
  const answer = await client.call('createSession', input as OwnerInput<'createSession'>);
  printAnswer(terminal, command, answer, () => nextSteps(answer.session_id, terminal.program));
}

/** The session to create. Undefined after `--dry-run`, which has printed it. */
async function inputOf(
  terminal: Terminal,
  { file, from, requirementsOf, followupsOf, ...flags }: CreateFlags,
): Promise<Json | undefined> {
  if (from !== undefined) {
    // Imported for `--from` only: the parser of Markdown is large.
    const { inputFrom } = await import('./create-from.ts');
    return await inputFrom(from, flags, terminal);
  }
  const isEmpty =
    Object.values(flags).length === 0 && !file && requirementsOf === undefined && followupsOf === undefined;
  if (isEmpty) throw wrongUsage(missingInput(terminal.program));
  const described = file ? await readSessionFile(file) : {};
  const copied = requirementsOf === undefined ? {} : await requirementsIn(terminal, requirementsOf);
  const base = createInput({ ...described, ...copied }, flags);
  const input = followupsOf === undefined ? base : await withFollowups(terminal, base, followupsOf);
  if (flags.dryRun) {
    terminal.out(jsonText(input, 2));
    return undefined;
  }
  if (file) refusePlaceholders(input, file);
  return input;
}

async function requirementsIn(terminal: Terminal, given: string): Promise<Pick<Answer<'view'>, 'requirements'>> {
  const client = await connectOwner(terminal);
  const { requirements } = await client.call('view', { session_id: await client.wholeId(given) });
  return { requirements };
}

/** Adds the follow-ups of a session to the requirements and topics of the new one. */
async function withFollowups(terminal: Terminal, input: Json, given: string): Promise<Json> {
  const { forNextSession, readFollowups } = await import('./followups.ts');
  const client = await connectOwner(terminal);
  const followups = await readFollowups(client, { session_id: await client.wholeId(given) });
  if (followups.length === 0) throw commandFailed(`Nothing was noted for later in session ${given}.`);
  const own = listIn(input, 'requirements');
  const agenda = recordIn(input, 'agenda');
  const added = forNextSession(
    followups,
    own.map((one) => isRecord(one) && one.requirement_id),
  );
  const topics = [...listIn(agenda, 'topics'), ...added.topics];
  return {
    ...input,
    requirements: [...own, ...added.requirements],
    ...(topics.length > 0 && { agenda: { ...agenda, topics } }),
  };
}

const missingInput = (program: string): string =>
  `create needs --title, --objective and --requirement, or a file:
  ${program} create --template > session.json   a file to fill in
  ${program} create --file session.json
  ${program} create --from specs/003-refunds     a specification that you have`;

const nextSteps = (id: string, program: string): string[] => [
  `Session ${id} is a draft. Next:`,
  '',
  `  ${program} invite ${id} --role agent_a    a one-time code for each agent`,
  `  ${program} invite ${id} --role agent_b`,
  `  ${program} invite ${id} --role moderator  if a third agent is to watch, ask questions and be able to stop the approval`,
  `  ${program} start ${id}                    then the first turn is open`,
  `  ${program} watch ${id}`,
];

/** Reads the session from a file. The file of a template or a mission contains the session in its member `session`. */
async function readSessionFile(file: string): Promise<Json> {
  const text =
    (await readRegularFile(file).catch(() => fileFault(file, 'cannot be read'))) ?? fileFault(file, 'cannot be read');
  const { value, fault } = readJsonFile(text);
  if (fault !== undefined) return fileFault(file, fault);
  if (!isRecord(value)) return fileFault(file, 'does not contain a JSON object');
  return isRecord(value.session) ? value.session : value;
}

const fileFault = (file: string, what: string): never => {
  throw wrongUsage(`${file} ${what}.`);
};
