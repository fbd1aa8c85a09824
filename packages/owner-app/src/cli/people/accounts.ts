import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { ageText, serverNow } from '../../text/ago.ts';
import { shellWord } from '../../text/shell-word.ts';
import { tableLines } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { membersOf, recordsIn, textIn } from '../../transcript/message.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { END_ACCESS, leftLines } from './left-lines.ts';

const ACTIONS = ['list', 'add', 'change', 'close', 'reopen'] as const;
type Action = (typeof ACTIONS)[number];

const HELP = `
Examples:
  parley accounts add "Team B" --sessions 50 --bytes 500000000
  parley people add "Ada Lovelace" --role approver --account "Team B"
  parley accounts
  parley accounts change "Team B" --sessions 100 --bytes none
  parley accounts close "Team B"

An account has sessions and people of its own, which no other account can see. Only the owner key changes accounts. When an account is
closed, the keys of its people are refused from the next request on, and within 5 seconds nothing more is stored for its agents. Its
sessions stay stored.`;

interface Given {
  readonly action: Action;
  readonly account: string;
  readonly name: string | undefined;
  readonly limits: Readonly<Record<string, number | null>>;
  readonly endAccess: true | undefined;
}

export function addAccounts(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('accounts')
      .description('List, add, change, close and reopen accounts. Each account is a separate owner in one service.'),
  )
    .addArgument(new Argument('[action]', 'what to do (default: list)').choices(ACTIONS))
    .argument('[account]', 'add: the name; change, close and reopen: the name or the id')
    .option('--name <name>', 'change: the new name')
    .addOption(limitOption('sessions', 'sessions that are not deleted'))
    .addOption(limitOption('events', 'events in all sessions'))
    .addOption(limitOption('bytes', 'bytes of events and documents in all sessions'))
    .option('--end-access', `close: ${END_ACCESS}`)
    .addHelpText('after', HELP);
  command.action(async (action: Action = 'list', account: string | undefined, { name, endAccess, ...flags }: Flags) => {
    const limited = Object.entries(flags).filter(([limit]) => LIMITS.includes(limit));
    const limits = Object.fromEntries(limited.map(([limit, most]) => [limit, most === 'none' ? null : most]));
    const given = { action, account: account ?? '', name, limits, endAccess };
    requireWhole(given);
    const answer = await callFor(await connectOwner(terminal), given);
    printAnswer(terminal, command, answer, () => LINES[action](answer, terminal));
  });
}

const LIMITS: readonly string[] = ['sessions', 'events', 'bytes'];

interface Flags {
  readonly name?: string;
  readonly endAccess?: true;
  readonly sessions?: number | 'none';
  readonly events?: number | 'none';
  readonly bytes?: number | 'none';
}

const limitOption = (limit: string, what: string): Option =>
  new Option(`--${limit} <number>`, `add and change: maximum number of ${what}; none: no limit`).argParser(readLimit);

function readLimit(text: string): number | 'none' {
  if (text === 'none') return text;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, or the word none.');
  return Number(text);
}

/** Refuses missing and superfluous arguments before anything is sent. */
function requireWhole({ action, account, name, limits, endAccess }: Given): void {
  if (action !== 'close' && endAccess)
    throw new CliError(EXIT.USAGE, `parley accounts ${action} takes no --end-access.`);
  const hasLimits = Object.keys(limits).length > 0;
  if (hasLimits && action !== 'add' && action !== 'change')
    throw new CliError(EXIT.USAGE, `parley accounts ${action} does not take --sessions, --events or --bytes.`);
  if (action === 'list' && account) throw new CliError(EXIT.USAGE, 'parley accounts list takes no name.');
  if (action !== 'list' && !account) throw new CliError(EXIT.USAGE, `Name the account: parley accounts ${action} NAME`);
  if (action !== 'change' && name !== undefined)
    throw new CliError(EXIT.USAGE, `parley accounts ${action} takes no --name.`);
  if (action === 'change' && name === undefined && !hasLimits)
    throw new CliError(
      EXIT.USAGE,
      'Nothing to change. Add at least one of --name NAME, --sessions N, --events N, --bytes N.',
    );
}

async function callFor(client: OwnerClient, given: Given): Promise<Json> {
  const { action, account, name, limits, endAccess } = given;
  if (action === 'list') return await client.call('listAccounts');
  if (action === 'add') return await client.call('addAccount', { name: account, limits });
  const account_id = await accountNamed(client, account);
  if (action === 'change') return await client.call('changeAccount', { account_id, name, limits });
  if (action === 'reopen') return await client.call('reopenAccount', { account_id });
  return await client.call('closeAccount', { account_id, end_access: endAccess });
}

/** Finds an account by its name or id. Rejects with CliError if there is no such account. */
export async function accountNamed(client: OwnerClient, account: string): Promise<string> {
  const accounts = recordsIn(await client.call('listAccounts'), 'accounts');
  const found = accounts.find((one) => textIn(one, 'account_id') === account || textIn(one, 'name') === account);
  if (!found)
    throw new CliError(
      EXIT.REFUSED,
      `No account has the name or the id ${JSON.stringify(account)}. To list names and ids, run: parley accounts`,
    );
  return textIn(found, 'account_id');
}

const LINES: Readonly<Record<Action, (answer: Json, terminal: Terminal) => string[]>> = {
  list: listLines,
  add: addedLines,
  change: (answer, terminal) => listLines({ accounts: [answer.account] }, terminal),
  close: (answer, terminal) => [
    `${nameIn(answer.account)} is closed. The keys of its people are refused from the next request on, and within 5 seconds nothing more is stored for its agents.`,
    ...leftLines(answer, terminal, `accounts close ${wordIn(answer.account, 'account_id')}`),
  ],
  reopen: ({ account }) => [`${nameIn(account)} is open again. The keys of its people work again.`],
};

function listLines(answer: Json, { columns, paint }: Terminal): string[] {
  const now = serverNow();
  const rows = recordsIn(answer, 'accounts').map((one) => [
    textIn(one, 'name'),
    textIn(one, 'account_id'),
    String(one.people),
    ...LIMITS.map((limit) => useText(one, limit)),
    textIn(one, 'added_at') ? `${ageText(textIn(one, 'added_at'), now)} ago` : '-',
    textIn(one, 'closed_at') ? `${ageText(textIn(one, 'closed_at'), now)} ago` : '-',
  ]);
  return tableLines(
    { heads: ['name', 'id', 'people', ...LIMITS, 'added', 'closed'], rows, flexible: 0 },
    columns,
    paint,
  );
}

/**
 * Formats how much of a limit is used, such as `3 of 10`. If the account has no such limit, returns the used amount
 * alone.
 */
function useText(account: unknown, limit: string): string {
  const { used, limits } = membersOf(account);
  const [use, most] = [membersOf(used)[limit], membersOf(limits)[limit]];
  return typeof most === 'number' ? `${use} of ${most}` : String(use);
}

function addedLines({ account }: Json, { program }: Terminal): string[] {
  return [
    `${nameIn(account)} is added, with the id ${textIn(membersOf(account), 'account_id')}.`,
    `To add a person: ${program} people add NAME --role approver --account ${wordIn(account, 'name')}`,
  ];
}

const nameIn = (account: unknown): string => visibleLine(textIn(membersOf(account), 'name'));

const wordIn = (account: unknown, member: string): string => visibleLine(shellWord(textIn(membersOf(account), member)));
