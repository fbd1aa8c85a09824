import { Argument, type Command, Option } from 'commander';
import { ageText, serverNow } from '../../text/ago.ts';
import { shellWord } from '../../text/shell-word.ts';
import { tableLines } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, recordsIn, textIn, youText } from '../../transcript/message.ts';
import { myId } from '../client/my-id.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { accountNamed } from './accounts.ts';
import { END_ACCESS, leftLines } from './left-lines.ts';
import { exportPeople, verifyPeople } from './people-log.ts';

const ACTIONS = ['list', 'me', 'add', 'role', 'revoke', 'readmit', 'verify', 'export'] as const;
type Action = (typeof ACTIONS)[number];
/** The actions on the log of people. Every other action of `parley people` calls one route and prints the answer. */
type LogAction = 'verify' | 'export';

const ROLES = ['viewer', 'operator', 'approver'] as const;
type Role = (typeof ROLES)[number];

const HELP = `
Examples:
  parley people add "Ada Lovelace" --role approver
  parley people add Bob --role operator --account "Team B"
  parley people
  parley people me                     # who you are: name, role, id
  parley people role "Ada Lovelace" --role viewer
  parley people revoke "Ada Lovelace" --end-access
  parley people readmit p_7kQ2mXw9Ra   # a revoked person with a company account
  parley people verify                 # the hash chain of the log of people
  parley people export --out people.jsonl && parley verify-log people.jsonl

Roles:
  viewer    reads everything and changes nothing
  operator  also writes: opens, starts, pauses, invites, asks, directs
  approver  also approves, authorizes, overrides, releases and deletes, and manages people`;

interface Flags {
  readonly role?: Role;
  readonly account?: string;
  readonly out?: string;
  readonly endAccess?: true;
  readonly json?: boolean;
}

const WITHOUT_NAME: ReadonlySet<Action> = new Set(['list', 'me', 'verify', 'export']);

interface Given {
  readonly action: Action;
  readonly who: string;
  readonly role: Role | undefined;
  readonly account: string | undefined;
  readonly out: string | undefined;
  readonly endAccess: true | undefined;
}

interface OneCall extends Given {
  readonly action: Exclude<Action, LogAction>;
}

export function addPeople(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('people')
      .description('List, add and revoke people: each has a role, and a key or a company account.'),
  )
    .addArgument(new Argument('[action]', 'what to do (default: list)').choices(ACTIONS))
    .argument('[who]', 'add: the name; role, revoke and readmit: the name or the id')
    .addOption(new Option('--role <word>', 'add and role: what the person may do').choices(ROLES))
    .option('--account <account>', 'add, only with the owner key: name or id of the account (default: your account)')
    .option('--end-access', `role and revoke: ${END_ACCESS}`)
    .option('--out <file>', 'export: write to this file, which must not exist yet (default: stdout)')
    .addHelpText('after', HELP);
  command.action(async (action: Action = 'list', who: string | undefined, { json, ...flags }: Flags) => {
    const { role, account, out, endAccess } = flags;
    const given = { who: who ?? '', role, account, out, endAccess };
    requireWhole({ action, ...given });
    const client = await connectOwner(terminal);
    if (action === 'verify') return await verifyPeople(terminal, client, json);
    if (action === 'export') return await exportPeople(terminal, client, out);
    const answer = await callFor(client, { action, ...given });
    const me = action === 'list' && !json ? await myId(client) : '';
    printAnswer(terminal, command, answer, () => LINES[action](answer, terminal, me));
  });
}

/** Refuses missing and superfluous arguments before anything is sent. */
function requireWhole({ action, who, role, account, out, endAccess }: Given): void {
  if (action !== 'role' && action !== 'revoke' && endAccess)
    throw new CliError(EXIT.USAGE, `parley people ${action} takes no --end-access.`);
  if (action !== 'add' && account) throw new CliError(EXIT.USAGE, `parley people ${action} takes no --account.`);
  if (action !== 'export' && out !== undefined)
    throw new CliError(EXIT.USAGE, `parley people ${action} takes no --out. Only export does.`);
  if (WITHOUT_NAME.has(action)) {
    if (who || role) throw new CliError(EXIT.USAGE, `parley people ${action} takes no name and no --role.`);
    return;
  }
  if (!who) throw new CliError(EXIT.USAGE, `Name the person: parley people ${action} NAME`);
  if ((action === 'revoke' || action === 'readmit') && role)
    throw new CliError(EXIT.USAGE, `parley people ${action} takes no --role.`);
  if (action === 'add' || action === 'role') givenRole(role);
}

function givenRole(role: Role | undefined): Role {
  if (role) return role;
  throw new CliError(EXIT.USAGE, `Give the role: --role ${ROLES.join('|')}`);
}

async function callFor(client: OwnerClient, { action, who, role, account, endAccess }: OneCall): Promise<Json> {
  if (action === 'me') return await client.call('whoAmI');
  if (action === 'list') return await client.call('listPeople');
  if (action === 'add') {
    const account_id = account && (await accountNamed(client, account));
    return await client.call('addPerson', { name: who, role: givenRole(role), account_id });
  }
  const person_id = await idOf(client, who, action);
  const end_access = endAccess;
  if (action === 'role') return await client.call('setPersonRole', { person_id, role: givenRole(role), end_access });
  if (action === 'revoke') return await client.call('revokePerson', { person_id, end_access });
  return await client.call('readmitPerson', { person_id });
}

/**
 * Finds a person by name or id, among the people who may sign in or among the revoked people. Refuses a name that
 * people of several accounts have.
 */
async function idOf(client: OwnerClient, who: string, action: 'role' | 'revoke' | 'readmit'): Promise<string> {
  const listed = await client.call('listPeople');
  const among = action === 'readmit' ? 'revoked' : 'people';
  const hasId = (one: Members): boolean => textIn(one, 'person_id') === who;
  // The access that a revoked person gave can still be ended.
  const again = action === 'revoke' ? recordsIn(listed, 'revoked').filter(hasId) : [];
  const named = [...recordsIn(listed, among).filter((one) => hasId(one) || textIn(one, 'name') === who), ...again];
  const [found] = named;
  if (new Set(named.map((one) => textIn(one, 'account_id'))).size > 1)
    throw new CliError(
      EXIT.REFUSED,
      `People of several accounts have the name ${JSON.stringify(who)}. Give the id of the person. To list the ids, run: parley people --json`,
    );
  if (!found)
    throw new CliError(
      EXIT.REFUSED,
      `${among === 'people' ? 'No person who can sign in' : 'No revoked person'} has the name or the id ${JSON.stringify(who)}. To list names and ids, run: parley people --json`,
    );
  return textIn(found, 'person_id');
}

const LINES: Readonly<Record<OneCall['action'], (answer: Json, terminal: Terminal, me: string) => string[]>> = {
  list: listLines,
  me: meLines,
  add: addedLines,
  role: (answer, terminal) => {
    const person = membersOf(answer.person);
    const [id, role] = [quotedIn(person, 'person_id'), quotedIn(person, 'role')];
    return [
      `${nameIn(person)} has the role ${textIn(person, 'role')} from the next request on.`,
      ...leftLines(answer, terminal, `people role ${id} --role ${role}`),
    ];
  },
  revoke: (answer, terminal) => [
    `${nameIn(answer.revoked)} is revoked.`,
    ...leftLines(answer, terminal, `people revoke ${quotedIn(membersOf(answer.revoked), 'person_id')}`),
  ],
  readmit: ({ revoked }) => [
    `The company account of ${nameIn(revoked)} may sign in again. Its next sign-in adds a new person.`,
  ],
};

function meLines({ name, id, role, account }: Json): string[] {
  const of = textIn(membersOf(account), 'name');
  return [visibleLine(`You are ${String(name)} (${String(id)}), ${String(role)}${of ? `, account ${of}` : ''}.`)];
}

function listLines(answer: Json, { columns, paint, program }: Terminal, me: string): string[] {
  const people = recordsIn(answer, 'people');
  if (people.length === 0)
    return [
      'No person has a key or a company account. Only the owner key can be used.',
      '',
      `To add a person: ${program} people add NAME --role ${ROLES.join('|')}`,
    ];
  const now = serverNow();
  const accounts = new Set(people.map((one) => textIn(one, 'account_id')));
  const rows = people.map((one) => [
    textIn(one, 'person_id') === me ? youText(textIn(one, 'name')) : textIn(one, 'name'),
    textIn(one, 'role'),
    ...(accounts.size > 1 ? [textIn(one, 'account_id')] : []),
    textIn(one, 'person_id'),
    textIn(one, 'key_prefix') ? `${textIn(one, 'key_prefix')}…` : 'company account',
    `${ageText(textIn(one, 'added_at'), now)} ago`,
    textIn(one, 'last_used_at') ? `${ageText(textIn(one, 'last_used_at'), now)} ago` : '-',
  ]);
  const heads = ['name', 'role', ...(accounts.size > 1 ? ['account'] : []), 'id', 'key', 'added', 'last used'];
  return tableLines({ heads, rows, flexible: 0 }, columns, paint);
}

function addedLines({ person, key }: Json, { program }: Terminal): string[] {
  const name = textIn(membersOf(person), 'name');
  return [
    `${visibleLine(name)} is added with the role ${textIn(membersOf(person), 'role')}. The key, which is shown only now:`,
    '',
    `  ${String(key)}`,
    '',
    'The person signs in with this key, or sets it as PARLEY_OWNER_KEY.',
    `To revoke the key: ${program} people revoke ${visibleLine(shellWord(name))}`,
  ];
}

const nameIn = (person: unknown): string => visibleLine(textIn(membersOf(person), 'name'));

const quotedIn = (person: Members, member: string): string => visibleLine(shellWord(textIn(person, member)));
