import { PEOPLE_LOG, PERSON_ROLES, type PersonRole, verifyLog } from '@parley/core';
import type { Answer } from '@parley/core/client';
import { Argument, type Command, Option } from 'commander';
import { readLogLines } from '../../server/api/log-stream.ts';
import { tableLines } from '../../text/table.ts';
import { ageText, serverNow } from '../../text/time.ts';
import { shellWord, visibleLine } from '../../text/visible.ts';
import { FIRST_PERSON_ID, youText } from '../../transcript/message.ts';
import { myId } from '../client/lists.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import { printLog, printReport, withFault } from '../sessions/session-log.ts';
import type { Terminal } from '../terminal.ts';
import { accountNamed, END_ACCESS, leftLines } from './accounts.ts';

export const exportPeople = async (terminal: Terminal, client: OwnerClient, out: string | undefined): Promise<void> =>
  printLog(terminal, {
    url: client.url,
    logId: PEOPLE_LOG.sessionId,
    stream: await client.stream('exportPeopleLog'),
    out,
  });

/**
 * Verifies the log of people twice: this machine computes the hashes, and the server also detects events that are
 * missing at the end. A log without events is valid: it means that no person was added yet.
 */
export async function verifyPeople(terminal: Terminal, client: OwnerClient, json: boolean | undefined): Promise<void> {
  const log = readLogLines(await client.stream('exportPeopleLog'));
  const report = await verifyLog(log, undefined, PEOPLE_LOG.sessionId);
  const whole = report.ok ? withFault(report, await client.call('verifyPeopleLog')) : report;
  printReport(terminal, whole, { json, name: 'the log of people' });
}

const ACTIONS = ['list', 'me', 'add', 'role', 'revoke', 'readmit', 'verify', 'export'] as const;
type Action = (typeof ACTIONS)[number];
/** The actions on the log of people. Every other action of `parley people` calls one route and prints the answer. */
type LogAction = 'verify' | 'export';

const HELP = `
Examples:
  parley people add "Ada Lovelace" --role approver
  parley people add Bob --role operator --account "Team B"
  parley people add "Ada (key)" --role approver --same-person-as "Ada Lovelace"
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
  readonly role?: PersonRole;
  readonly account?: string;
  readonly samePersonAs?: string;
  readonly out?: string;
  readonly endAccess?: true;
  readonly json?: boolean;
}

const WITHOUT_NAME: ReadonlySet<Action> = new Set(['list', 'me', 'verify', 'export']);

interface Given extends Omit<Flags, 'json'> {
  readonly action: Action;
  readonly who: string;
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
    .addOption(new Option('--role <word>', 'add and role: what the person may do').choices(PERSON_ROLES))
    .option('--account <account>', 'add, only with the owner key: name or id of the account (default: your account)')
    .option(
      '--same-person-as <who>',
      'add: a person who is the same human, by name or id, or owner: where two must approve, both count as one',
    )
    .option('--end-access', `role and revoke: ${END_ACCESS}`)
    .option('--out <file>', 'export: write to this file, which must not exist yet (default: stdout)')
    .addHelpText('after', HELP);
  command.action(async (action: Action = 'list', who: string | undefined, { json, ...flags }: Flags) => {
    const given = { ...flags, who: who ?? '' };
    requireWhole({ action, ...given });
    const client = await connectOwner(terminal);
    if (action === 'verify') return await verifyPeople(terminal, client, json);
    if (action === 'export') return await exportPeople(terminal, client, flags.out);
    const { answer, lines } = await doneBy(client, { action, ...given }, terminal);
    const me = action === 'list' && !json ? await myId(client) : '';
    printAnswer(terminal, command, answer, () => lines(me));
  });
}

/** Refuses missing and superfluous arguments before anything is sent. */
function requireWhole({ action, who, role, account, samePersonAs, out, endAccess }: Given): void {
  if (action !== 'role' && action !== 'revoke' && endAccess)
    throw wrongUsage(`parley people ${action} takes no --end-access.`);
  if (action !== 'add' && account) throw wrongUsage(`parley people ${action} takes no --account.`);
  if (action !== 'add' && samePersonAs)
    throw wrongUsage(`parley people ${action} takes no --same-person-as. Only add does.`);
  if (action !== 'export' && out !== undefined)
    throw wrongUsage(`parley people ${action} takes no --out. Only export does.`);
  if (WITHOUT_NAME.has(action)) {
    if (who || role) throw wrongUsage(`parley people ${action} takes no name and no --role.`);
    return;
  }
  if (!who) throw wrongUsage(`Name the person: parley people ${action} NAME`);
  if ((action === 'revoke' || action === 'readmit') && role)
    throw wrongUsage(`parley people ${action} takes no --role.`);
  if (action === 'add' || action === 'role') givenRole(role);
}

function givenRole(role: PersonRole | undefined): PersonRole {
  if (role) return role;
  throw wrongUsage(`Give the role: --role ${PERSON_ROLES.join('|')}`);
}

/** Makes the call of an action. Returns its answer, and a function that makes the lines that are printed for it. */
async function doneBy(client: OwnerClient, given: OneCall, terminal: Terminal) {
  const { action, who, role, account, samePersonAs, endAccess } = given;
  if (action === 'me') {
    const answer = await client.call('whoAmI');
    return { answer, lines: () => [meLine(answer)] };
  }
  if (action === 'list') {
    const answer = await client.call('listPeople');
    return { answer, lines: (me: string) => listLines(answer.people, terminal, me) };
  }
  if (action === 'add') {
    const account_id = account && (await accountNamed(client, account));
    const same_person_as =
      samePersonAs === undefined || samePersonAs === FIRST_PERSON_ID
        ? samePersonAs
        : await idOf(client, samePersonAs, 'add');
    const answer = await client.call('addPerson', { name: who, role: givenRole(role), account_id, same_person_as });
    return { answer, lines: () => addedLines(answer, terminal) };
  }
  const person_id = await idOf(client, who, action);
  const end_access = endAccess;
  if (action === 'role') {
    const answer = await client.call('setPersonRole', { person_id, role: givenRole(role), end_access });
    const { person } = answer;
    const again = `people role ${quoted(person.person_id)} --role ${quoted(person.role)}`;
    const text = `${visibleLine(person.name)} has the role ${person.role} from the next request on.`;
    return { answer, lines: () => [text, ...leftLines(answer, terminal, again)] };
  }
  if (action === 'revoke') {
    const answer = await client.call('revokePerson', { person_id, end_access });
    const { revoked } = answer;
    const again = `people revoke ${quoted(revoked.person_id)}`;
    const text = `${visibleLine(revoked.name)} is revoked.`;
    return { answer, lines: () => [text, ...leftLines(answer, terminal, again)] };
  }
  const answer = await client.call('readmitPerson', { person_id });
  const text = `The company account of ${visibleLine(answer.revoked.name)} may sign in again. Its next sign-in adds a new person.`;
  return { answer, lines: () => [text] };
}

/**
 * Finds a person by name or id, among the people who may sign in or among the revoked people. Refuses a name that
 * people of several accounts have.
 */
async function idOf(
  client: OwnerClient,
  who: string,
  action: Exclude<OneCall['action'], 'list' | 'me'>,
): Promise<string> {
  const { people, revoked } = await client.call('listPeople');
  const among = action === 'readmit' ? 'revoked' : 'people';
  // The access that a revoked person gave can still be ended.
  const again = action === 'revoke' ? revoked.filter(({ person_id }) => person_id === who) : [];
  const asked = (among === 'revoked' ? revoked : people).filter(
    ({ person_id, name }) => person_id === who || name === who,
  );
  const named = [...asked, ...again];
  const [found] = named;
  if (new Set(named.map(({ account_id }) => account_id)).size > 1)
    throw commandFailed(
      `People of several accounts have the name ${JSON.stringify(who)}. Give the id of the person. To list the ids, run: parley people --json`,
    );
  if (!found)
    throw commandFailed(
      `${among === 'people' ? 'No person who can sign in' : 'No revoked person'} has the name or the id ${JSON.stringify(who)}. To list names and ids, run: parley people --json`,
    );
  return found.person_id;
}

const meLine = ({ name, id, role, account }: Answer<'whoAmI'>): string =>
  visibleLine(`You are ${name} (${id}), ${role}${account ? `, account ${account.name}` : ''}.`);

type Person = Answer<'listPeople'>['people'][number];

function listLines(people: readonly Person[], terminal: Terminal, me: string): string[] {
  if (people.length === 0)
    return [
      'No person has a key or a company account. Only the owner key can be used.',
      '',
      `To add a person: ${terminal.program} people add NAME --role ${PERSON_ROLES.join('|')}`,
    ];
  const now = serverNow();
  const accounts = new Set(people.map(({ account_id }) => account_id));
  const rows = people.map(
    ({ person_id, name, role, account_id, key_prefix, same_person_as, added_at, last_used_at }) => [
      person_id === me ? youText(name) : name,
      role,
      ...(accounts.size > 1 ? [account_id] : []),
      person_id,
      [
        key_prefix ? `${key_prefix}…` : 'company account',
        ...(same_person_as ? [`same person as ${same_person_as}`] : []),
      ].join(', '),
      `${ageText(added_at, now)} ago`,
      last_used_at ? `${ageText(last_used_at, now)} ago` : '-',
    ],
  );
  const heads = ['name', 'role', ...(accounts.size > 1 ? ['account'] : []), 'id', 'key', 'added', 'last used'];
  return tableLines({ heads, rows, flexible: 0 }, terminal);
}

const addedLines = ({ person: { name, role }, key }: Answer<'addPerson'>, { program }: Terminal): string[] => [
  `${visibleLine(name)} is added with the role ${role}. The key, which is shown only now:`,
  '',
  `  ${key}`,
  '',
  'The person signs in with this key, or sets it as PARLEY_OWNER_KEY.',
  `To revoke the key: ${program} people revoke ${quoted(name)}`,
];

const quoted = (word: string): string => visibleLine(shellWord(word));
