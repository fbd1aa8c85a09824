import type { Answer } from '@parley/core/client';
import { counted, timeText } from '@parley/core/text';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { tableLines } from '../../text/table.ts';
import { ageText, serverNow } from '../../text/time.ts';
import { shellWord, visibleLine } from '../../text/visible.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

/** The words of the flag `--end-access` in the help. */
export const END_ACCESS = 'end the access that the people gave to agents: codes, and tokens from them';

type Left = Pick<Answer<'revokePerson'>, 'left'>;

const NOTHING: NonNullable<Left['left']> = {
  approvals: [],
  invitations: [],
  tokens: [],
  more: { approvals: 0, invitations: 0, tokens: 0 },
  ended: 0,
  failed: 0,
};

/**
 * Formats what people leave behind who have lost their rights: approvals, invitation codes and tokens. Empty if they leave
 * nothing behind.
 *
 * @param again the command without the name of the program that ends the access to agents
 */
export function leftLines({ left = NOTHING }: Left, terminal: Terminal, again: string): string[] {
  const { approvals, invitations, tokens, people = [], same_person: same = [], more, ended, failed } = left;
  const rows = [
    ...approvals.map(({ stage, session_id, title }) => [
      `approval of the ${stage === 'approval' ? 'contract' : stage}`,
      'does not count',
      session_id,
      title,
    ]),
    ...invitations.map((one) => [`code of ${one.role}`, one.ended ? 'ended' : 'refused', one.session_id, one.title]),
    ...tokens.map((one) => [
      `token of ${one.role}`,
      one.ended ? 'ended' : `valid until ${timeText(one.expires_at)}`,
      one.session_id,
      one.title,
    ]),
  ];
  const heads = ['left behind', 'now', 'session', 'title'];
  const unlisted = KINDS.flatMap(([kind, one, many]) => (more[kind] > 0 ? [counted(more[kind], one, many)] : []));
  const access = invitations.length + tokens.length + more.invitations + more.tokens;
  return [
    ...(rows.length > 0 ? ['', ...tableLines({ heads, rows }, terminal), ''] : []),
    ...(unlisted.length > 0 ? [`Left behind and not listed: ${unlisted.join(', ')}.`] : []),
    ...(ended > 0 ? [`Ended: ${counted(ended, 'code or token', 'codes and tokens')}.`] : []),
    ...(failed > 0
      ? [`${counted(failed, 'session', 'sessions')} could not be read or changed. Run the command again.`]
      : []),
    ...personLines('The same human can still sign in as these people. Revoke them too, unless that is wanted:', same),
    ...personLines(
      'These people were added by the person, who has seen their keys. Revoke those that nobody else uses:',
      people,
    ),
    ...(access > ended ? [`To end what is not ended: ${terminal.program} ${again} --end-access`] : []),
  ];
}

const personLines = (head: string, people: NonNullable<NonNullable<Left['left']>['people']>): string[] =>
  people.length === 0 ? [] : [head, ...people.map(({ person_id, role, name }) => `  ${person_id}  ${role}  ${name}`)];

const KINDS = [
  ['approvals', 'approval that does not count', 'approvals that do not count'],
  ['invitations', 'code', 'codes'],
  ['tokens', 'token', 'tokens'],
] as const;

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
    const limited = Object.entries(flags).filter(([limit]) => LIMITS.some((one) => one === limit));
    const limits = Object.fromEntries(limited.map(([limit, most]) => [limit, most === 'none' ? null : most]));
    const given = { action, account: account ?? '', name, limits, endAccess };
    requireWhole(given);
    const { answer, lines } = await doneBy(await connectOwner(terminal), given, terminal);
    printAnswer(terminal, command, answer, () => lines);
  });
}

const LIMITS = ['sessions', 'events', 'bytes'] as const;

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
  if (action !== 'close' && endAccess) throw wrongUsage(`parley accounts ${action} takes no --end-access.`);
  const hasLimits = Object.keys(limits).length > 0;
  if (hasLimits && action !== 'add' && action !== 'change')
    throw wrongUsage(`parley accounts ${action} does not take --sessions, --events or --bytes.`);
  if (action === 'list' && account) throw wrongUsage('parley accounts list takes no name.');
  if (action !== 'list' && !account) throw wrongUsage(`Name the account: parley accounts ${action} NAME`);
  if (action !== 'change' && name !== undefined) throw wrongUsage(`parley accounts ${action} takes no --name.`);
  if (action === 'change' && name === undefined && !hasLimits)
    throw wrongUsage('Nothing to change. Add at least one of --name NAME, --sessions N, --events N, --bytes N.');
}

/** Makes the call of an action. Returns its answer, and the lines that are printed for it. */
async function doneBy(client: OwnerClient, given: Given, terminal: Terminal) {
  const { action, account: named, name, limits, endAccess } = given;
  if (action === 'list') {
    const answer = await client.call('listAccounts');
    return { answer, lines: listLines(answer.accounts, terminal) };
  }
  if (action === 'add') {
    const answer = await client.call('addAccount', { name: named, limits });
    return { answer, lines: addedLines(answer.account, terminal) };
  }
  const account_id = await accountNamed(client, named);
  if (action === 'change') {
    const answer = await client.call('changeAccount', { account_id, name, limits });
    return { answer, lines: listLines([answer.account], terminal) };
  }
  if (action === 'reopen') {
    const answer = await client.call('reopenAccount', { account_id });
    const text = `${visibleLine(answer.account.name)} is open again. The keys of its people work again.`;
    return { answer, lines: [text] };
  }
  const answer = await client.call('closeAccount', { account_id, end_access: endAccess });
  const { account } = answer;
  const lines = [
    `${visibleLine(account.name)} is closed. The keys of its people are refused from the next request on, and within 5 seconds nothing more is stored for its agents.`,
    ...leftLines(answer, terminal, `accounts close ${visibleLine(shellWord(account.account_id))}`),
  ];
  return { answer, lines };
}

/** Finds an account by its name or id. Rejects with CliError if there is no such account. */
export async function accountNamed(client: OwnerClient, account: string): Promise<string> {
  const { accounts } = await client.call('listAccounts');
  const found = accounts.find(({ account_id, name }) => account_id === account || name === account);
  if (!found)
    throw commandFailed(
      `No account has the name or the id ${JSON.stringify(account)}. To list names and ids, run: parley accounts`,
    );
  return found.account_id;
}

type Account = Answer<'listAccounts'>['accounts'][number];

function listLines(accounts: readonly Account[], terminal: Terminal): string[] {
  const now = serverNow();
  const agoOrNone = (at: string | null): string => (at === null ? '-' : `${ageText(at, now)} ago`);
  const rows = accounts.map((one) => [
    one.name,
    one.account_id,
    String(one.people),
    ...LIMITS.map((limit) => useText(one, limit)),
    agoOrNone(one.added_at),
    agoOrNone(one.closed_at),
  ]);
  return tableLines({ heads: ['name', 'id', 'people', ...LIMITS, 'added', 'closed'], rows, flexible: 0 }, terminal);
}

/**
 * Formats how much of a limit is used, such as `3 of 10`. If the account has no such limit, returns the used amount
 * alone.
 */
const useText = ({ used, limits }: Account, limit: (typeof LIMITS)[number]): string =>
  limits[limit] === null ? String(used[limit]) : `${used[limit]} of ${limits[limit]}`;

const addedLines = ({ name, account_id }: Account, { program }: Terminal): string[] => [
  `${visibleLine(name)} is added, with the id ${account_id}.`,
  `To add a person: ${program} people add NAME --role approver --account ${visibleLine(shellWord(name))}`,
];
