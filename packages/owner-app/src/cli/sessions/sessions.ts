import type { Answer } from '@parley/core/client';
import { counted, plural } from '@parley/core/text';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { agentName, hindranceOf } from '../../text/agent.ts';
import {
  absentRoles,
  countToSettle,
  firstStepSince,
  isIdle,
  lastWroteAt,
  nextSteps,
  stepText,
} from '../../text/inbox.ts';
import { UNLIMITED } from '../../text/page.ts';
import { shortenText, type Table, tableLines, textWidth, wrapText } from '../../text/table.ts';
import { ageText, serverNow } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { type OverviewSession, overviewSessions, sessionIds, shownId } from '../client/lists.ts';
import { connectOwner } from '../client/owner-client.ts';
import { parseNumber, parseWords } from '../flags/flag-kinds.ts';
import { WordOption } from '../flags/reference.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { stoppedLines } from './waiting.ts';

const roleWord = (role: string): string => agentName(role, undefined);

/** Minimum width of a shortened step, in columns. Of several steps, each has to be readable. */
const MIN_STEP_COLUMNS = { one: 6, several: 20 } as const;

interface Step {
  readonly role: string;
  readonly text: string;
  /** Why the agent does not take the step, such as `silent`. Undefined for the owner and for an agent that acts. */
  readonly mark: string | undefined;
}

/**
 * Who must act next, and what: `you: Approve r_2; agent_a: answer f_3 (silent)`. An agent that does not take its step is
 * marked. Empty if nobody must act.
 *
 * @param columns maximum width. To fit it, the steps are shortened, then the last steps are only counted with the
 * marks that no shown step has, as `+2, 1 silent`, then the text of the first step is left out; its mark is not cut off
 */
export function nextCell(session: OverviewSession, nowMs: number, columns: number): string {
  const reported = absentRoles(session);
  const marks = new Map<string, Step['mark']>(
    session.agents.map((agent) => [agent.role, hindranceOf(agent, nowMs, reported.includes(agent.role))]),
  );
  const steps = nextSteps(session, roleWord, 1).map(({ role, text }) => ({ role, text, mark: marks.get(role) }));
  return fitted(steps, columns);
}

/** Whether a cell counts steps that it does not show. */
export const countsSteps = (cell: string): boolean => / \+\d+(, \d+ [a-z ,\d]+)?$/.test(cell);

/** @param left further steps, which are only counted */
function fitted(steps: readonly Step[], columns: number, left: readonly Step[] = []): string {
  const textAt = (width: number): string =>
    steps
      .map(
        ({ role, text, mark }) =>
          `${stepText({ role, text: width > 0 ? shortenText(text, width) : '' }, roleWord)}${mark ? ` (${mark})` : ''}`,
      )
      .join('; ') + countText(left, steps);
  const full = textAt(Number.POSITIVE_INFINITY);
  if (textWidth(full) <= columns) return full;
  // No text that fits is wider than the cell, so the time does not grow with the length of a text.
  const longest = Math.min(columns + 1, Math.max(...steps.map(({ text }) => textWidth(text))));
  const least = MIN_STEP_COLUMNS[steps.length === 1 ? 'one' : 'several'];
  for (let width = longest - 1; width >= least; width -= 1)
    if (textWidth(textAt(width)) <= columns) return textAt(width);
  if (steps.length === 1) return shortenText(textAt(0), columns);
  return fitted(steps.slice(0, -1), columns, [...steps.slice(-1), ...left]);
}

/**
 * The number of steps, and of each mark the number of steps that have it: ` +2, 1 silent`. Leaves out the marks of the
 * shown steps. Empty for no step.
 */
function countText(steps: readonly Step[], shown: readonly Step[]): string {
  const marks = steps.flatMap(({ mark }) => mark ?? []).filter((mark) => !shown.some((step) => step.mark === mark));
  const counts = [...new Set(marks)].map((mark) => `, ${marks.filter((one) => one === mark).length} ${mark}`);
  return steps.length === 0 ? '' : ` +${steps.length}${counts.join('')}`;
}

export const PHASES = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'];
export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'];

/**
 * The statuses whose sessions are also counted by phase. Drafts and ended sessions are not counted by phase, because no
 * work is done in them.
 */
const BY_PHASE: ReadonlySet<string> = new Set(['ACTIVE', 'PAUSED']);

/**
 * The number of sessions with each status, and of the active and the paused sessions in each phase:
 * `4 sessions: 1 DRAFT, 3 ACTIVE (1 PLANNING, 2 VERIFY).`
 */
export function totalsText(sessions: readonly OverviewSession[]): string {
  const parts = STATUSES.flatMap((status) => {
    const found = sessions.filter((session) => session.status === status);
    if (found.length === 0) return [];
    return `${found.length} ${status}${BY_PHASE.has(status) ? ` (${phasesText(found)})` : ''}`;
  });
  return `${plural(sessions.length, 'session')}: ${parts.join(', ')}.`;
}

const phasesText = (sessions: readonly OverviewSession[]): string =>
  PHASES.map((phase) => ({ phase, count: sessions.filter((session) => session.phase === phase).length }))
    .filter(({ count }) => count > 0)
    .map(({ phase, count }) => `${count} ${phase}`)
    .join(', ');

interface SessionsFlags {
  readonly phase?: readonly string[];
  readonly status?: readonly string[];
  /**
   * Minimum number of milliseconds since the last event of an agent, as in `isIdle`. Selects only ACTIVE sessions unless
   * `status` is given.
   */
  readonly idle?: number;
  readonly waiting?: boolean;
  readonly sort?: Column;
  readonly limit?: number;
  readonly after?: string;
}

export function addSessions(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('sessions')
      .description('List your sessions, newest first: the phase, who must do what next, and since when.'),
  )
    .addOption(wordsOption('--phase <list>', 'only sessions in these phases', PHASES))
    .addOption(wordsOption('--status <list>', 'only sessions with these statuses', STATUSES))
    .option(
      '--idle <duration>',
      'only active sessions, or those of --status, in which an agent has something to do, but no agent has written for at least this time, such as 30min, 1h or 2d',
      parseDuration,
    )
    .option('--waiting', 'only sessions in which something waits for you')
    .addOption(
      new Option(
        '--sort <column>',
        'sort by this column: times oldest first, numbers highest first (default: newest session first)',
      ).choices(COLUMNS),
    )
    .option('--limit <number>', 'maximum number of sessions', parseNumber)
    .option('--after <session_id>', 'list only the sessions that follow this session in the list')
    .addHelpText(
      'after',
      '\nExamples:\n  parley sessions --limit 10\n  parley sessions --phase VERIFY,RELEASE --idle 1h\n  parley sessions --sort since\n\nEvery command takes the first four or more characters of a session id in place of the whole id. On a terminal, the table shows the fewest characters of each id, at least four, that name one session. It leaves out empty columns, and the column waits, because next says how many tasks wait. In a file or a pipe, the table has whole ids and also these columns, with two spaces between cells.\n\nnext: who must act, and what. The words after the step of an agent say why the agent does not take the step: never joined,\naccess revoked, token expired, silent (makes no call), token ends (within 30 minutes), or idle (makes calls, but has written nothing\nfor an hour). +2, 1 silent: two more agents must act too, and one of them is silent. since: for how long\nthe first step of next has waited, without the latest pause. last: how long ago an agent last wrote, or the session was created if none has.',
    );
  command.action(async ({ limit = Number.POSITIVE_INFINITY, after, sort, ...filter }: SessionsFlags) => {
    const found: OverviewSession[] = [];
    const client = await connectOwner(terminal);
    for await (const session of overviewSessions(client, after)) {
      if (sort === undefined && found.length >= limit) break;
      if (matches(session, filter, serverNow())) found.push(session);
    }
    const sessions = (sort === undefined ? found : sorted(found, sort)).slice(0, limit);
    const ids = terminal.columns === UNLIMITED ? [] : await sessionIds(client);
    printAnswer(terminal, command, { sessions }, () =>
      sessionLines(sessions, filter, { terminal, now: serverNow(), ids }),
    );
  });
}

/** A flag that accepts several words, separated by commas or by giving the flag several times. */
const wordsOption = (flags: string, purpose: string, words: readonly string[]): Option =>
  new WordOption(flags, purpose, { words, isList: true }).argParser((text: string, earlier: readonly string[] = []) => [
    ...earlier,
    ...parseWords(text, words),
  ]);

const COLUMNS = ['title', 'phase', 'since', 'last', 'defects', 'waits'] as const;
type Column = (typeof COLUMNS)[number];

const waitCount = (session: OverviewSession): number => countToSettle(session);
/** The sort value of a session in which nobody must act. It is greater than every time. */
const NEVER = '~';

/** For each column, the value by which the rows are sorted, smallest first. */
const SORT_VALUES: Readonly<Record<Column, (session: OverviewSession) => string | number>> = {
  title: (session) => session.title.toLowerCase(),
  phase: (session) => PHASES.indexOf(session.phase),
  since: (session) => firstStepSince(session) ?? NEVER,
  last: (session) => lastWroteAt(session),
  defects: (session) => -session.open_defects,
  waits: (session) => -waitCount(session),
};

function sorted(sessions: readonly OverviewSession[], column: Column): OverviewSession[] {
  const rank = SORT_VALUES[column];
  return sessions
    .map((session) => ({ session, value: rank(session) }))
    .toSorted(({ value: one }, { value: other }) => (one < other ? -1 : one > other ? 1 : 0))
    .map(({ session }) => session);
}

function matches(session: OverviewSession, { phase, status, idle, waiting }: SessionsFlags, now: number): boolean {
  return (
    (phase === undefined || phase.includes(session.phase)) &&
    (status === undefined || status.includes(session.status)) &&
    (idle === undefined || ((status !== undefined || session.status === 'ACTIVE') && isIdle(session, idle, now))) &&
    (!waiting || waitCount(session) > 0)
  );
}

interface ListContext {
  readonly terminal: Terminal;
  readonly now: number;
  /** The ids of all sessions, sorted. Empty if stdout is not a terminal, so that the table has whole ids. */
  readonly ids: readonly string[];
}

function sessionLines(
  sessions: readonly OverviewSession[],
  filter: SessionsFlags,
  { terminal, now, ids }: ListContext,
): string[] {
  if (sessions.length === 0)
    return [Object.keys(filter).length > 0 ? 'No session matches.' : 'No sessions yet. Open one with: parley create'];
  const all = sessions.map((session) => rowOf(session, now, ids));
  const names = ['session', 'phase', 'next', 'since', 'last', 'defects', 'waits', 'title'];
  const isWhole = terminal.columns === UNLIMITED;
  // On a terminal, `next` begins with the tasks of the owner and counts them, so that `waits` would only take its place.
  const isKept = (_: string, index: number): boolean => {
    const [name, isEmpty] = [names[index], all.every((row) => row[index] === '-')];
    return !(isEmpty && (name === 'defects' || !isWhole)) && (isWhole || name !== 'waits');
  };
  const heads = names.filter(isKept);
  const rows = all.map((row) => row.filter(isKept));
  const cells: string[] = [];
  const shortenedCell = (row: number, columns: number): string => {
    const session = sessions[row];
    const cell = session ? moveText(session, now, columns) : '';
    cells.push(cell);
    return cell;
  };
  return [
    ...rowLines({ heads, rows, shortenedCell }, terminal),
    '',
    ...wrapText(totalsText(sessions), terminal.columns),
    ...(cells.some(countsSteps) ? wrapText(COUNTED_STEPS, terminal.columns) : []),
    ...stoppedLines(sessions, 'listed session', { terminal, nowMs: now }),
  ];
}

const COUNTED_STEPS = '+1 after a step: one more role has to act too. A wider terminal shows its step.';

/** The table on a terminal. In a file or a pipe, the cells of each row with two spaces between them. */
export function rowLines(
  { heads, rows, shortenedCell }: Required<Pick<Table, 'heads' | 'rows' | 'shortenedCell'>>,
  terminal: Terminal,
): string[] {
  if (terminal.columns === UNLIMITED) return [heads, ...rows].map((row) => row.map(visibleLine).join('  '));
  const table = { heads, rows, isShortened: true };
  const alsoShortened = heads.indexOf('next');
  return tableLines(alsoShortened < 0 ? table : { ...table, alsoShortened, shortenedCell }, terminal);
}

/** Who must act next, or what is wrong with a session that cannot be read. `-` if nobody must act. */
const moveText = (session: OverviewSession, now: number, columns: number): string =>
  session.fault?.text || nextCell(session, now, columns) || '-';

function rowOf(session: OverviewSession, now: number, ids: readonly string[]): string[] {
  const since = firstStepSince(session);
  return [
    shownId(session.session_id, ids),
    phaseText(session),
    moveText(session, now, UNLIMITED),
    since ? ageText(since, now) : '-',
    ageText(lastWroteAt(session), now),
    String(session.open_defects || '-'),
    String(waitCount(session) || '-'),
    session.title,
  ];
}

const phaseText = ({ status, phase }: OverviewSession): string => (status === 'ACTIVE' ? phase : `${status} ${phase}`);

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Parses a duration such as `90s`, `30min`, `1h` or `2d`. Returns milliseconds. */
function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(s|min|h|d)$/.exec(text) ?? [];
  const size = UNIT_MS.get(unit);
  if (size === undefined) throw new InvalidArgumentError('Expected a duration such as 90s, 30min, 1h or 2d.');
  return Number(count) * size;
}

type GroupSession = Answer<'group'>['sessions'][number];

export function addGroup(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('group')
      .description('Show the sessions of a group: where each stands, its contract, and what stops its release.'),
  )
    .argument('<name>', 'the name of the group, as `parley create --group` set it')
    .addHelpText(
      'after',
      `
Example:
  parley group checkout

contract: the latest revision, and APPROVED once you have approved it. release: certified if all certification checks are met,
deployed once the deployment is authorized; otherwise the number of reasons that stop it, which are listed below the table.`,
    );
  command.action(async (name: string) => {
    const client = await connectOwner(terminal);
    const answer = await client.call('group', { name });
    const ids = terminal.columns === UNLIMITED ? [] : await sessionIds(client);
    printAnswer(terminal, command, answer, () =>
      groupLines(name, answer.sessions, { terminal, now: serverNow(), ids }),
    );
  });
}

function groupLines(name: string, sessions: readonly GroupSession[], { terminal, now, ids }: ListContext): string[] {
  const { columns, program } = terminal;
  const idOf = ({ session }: GroupSession): string => shownId(session.session_id, ids);
  const rows = sessions.map((one) => [
    idOf(one),
    phaseText(one.session),
    one.contract ? `${one.contract.revision_id} ${one.contract.status}` : '-',
    releaseText(one),
    nextCell(one.session, now, UNLIMITED) || '-',
    one.session.title,
  ]);
  const heads = ['session', 'phase', 'contract', 'release', 'next', 'title'];
  const shortenedCell = (row: number, width: number): string => {
    const session = sessions[row]?.session;
    return (session && nextCell(session, now, width)) || '-';
  };
  const ready = sessions.filter(({ stops }) => stops.length === 0).length;
  const stopped = sessions.filter(({ stops }) => stops.length > 0);
  const read = sessions.find(({ contract }) => contract?.status === 'APPROVED');
  return [
    ...wrapText(
      `Group ${visibleLine(name)}: ${plural(sessions.length, 'session')}, ${counted(ready, 'is', 'are')} certified or deployed.`,
      columns,
    ),
    '',
    ...rowLines({ heads, rows, shortenedCell }, terminal),
    ...stopped.flatMap((one) => [
      '',
      ...wrapText(`${idOf(one)} ${visibleLine(one.session.title)} is stopped by:`, columns),
      ...one.stops.flatMap((text) => wrapText(`- ${visibleLine(text)}`, columns - 2).map((line) => `  ${line}`)),
    ]),
    ...(read ? ['', `To read an approved contract: ${program} plan ${idOf(read)}`] : []),
  ];
}

function releaseText({ deployment_authorized, certified, stops }: GroupSession): string {
  if (stops.length > 0) return `stopped by ${stops.length}`;
  return deployment_authorized ? 'deployed' : certified ? 'certified' : '-';
}
