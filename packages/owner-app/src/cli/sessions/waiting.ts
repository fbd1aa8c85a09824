import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@parley/core/client';
import { counted, listed, plural } from '@parley/core/text';
import type { Command } from 'commander';
import { hindranceOf } from '../../text/agent.ts';
import {
  absentRoles,
  countToSettle,
  countWhileStopped,
  foldedAbsences,
  type Inbox,
  idleText,
  inboxOf,
  MARKS,
  needsInvitation,
  nothingText,
  taskOf,
  waitsToSettle,
} from '../../text/inbox.ts';
import { UNLIMITED } from '../../text/page.ts';
import { lineOf, MIN_SHORTENED_COLUMNS, shortenText, textWidth, widthOf, wrapText } from '../../text/table.ts';
import { ageText, agoText, serverNow } from '../../text/time.ts';
import { jsonText, shellWord, visibleLine } from '../../text/visible.ts';
import { watchLosses } from '../client/faults.ts';
import { type OverviewSession, overviewSessions, pagesOf, sessionIds, shownId } from '../client/lists.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import { withJson } from '../print/answer.ts';
import { formatInbox, idIn, type Looking, sessionLines } from '../print/format-waiting.ts';
import { namesIn } from '../print/names.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Number of tasks for the owner in running sessions, and how many of them stop their session. Tasks about absent agents
 * are not counted.
 */
export interface TaskCounts {
  readonly tasks: number;
  readonly blocking: number;
}

export const taskCounts = ({ open }: Inbox<OverviewSession>): TaskCounts => ({
  tasks: open.reduce((sum, session) => sum + countToSettle(session), 0),
  blocking: open.flatMap(waitsToSettle).filter((wait) => wait.blocking).length,
});

/** The id of the call of `pause --all` that paused a session. Empty if no such call paused it. */
export const pauseIdOf = ({ stopped }: OverviewSession): string => stopped?.pause_id ?? '';

interface LookingAtHead extends Looking {
  /** Whether the list has one line for each task, so that absent agents and parked sessions have a mark too. */
  readonly isShort?: boolean;
}

/**
 * The first lines of `parley waiting`: for each `pause --all` that is in force, the number of paused sessions and the
 * command that resumes them; then the number of tasks, and what the marks before them mean.
 */
export function headLines(inbox: Inbox<OverviewSession>, looking: LookingAtHead): string[] {
  const lines = stoppedLines(inbox.parked, 'session', looking);
  const isOnlyPaused = lines.length > 0 && inbox.open.length + inbox.absent.length === 0;
  return isOnlyPaused
    ? lines
    : [
        ...lines,
        ...wrapText(
          [countText(inbox, looking), ...(looking.isShort ? alsoTexts(inbox, looking.nowMs) : [])].join(' '),
          looking.terminal.columns,
        ),
      ];
}

function countText(inbox: Inbox<OverviewSession>, { nowMs, isShort }: LookingAtHead): string {
  const { tasks, blocking } = taskCounts(inbox);
  if (tasks > 0) {
    const rest = tasks - blocking;
    return `${plural(tasks, 'task')} in ${plural(inbox.open.length, 'session')}: ${counted(blocking, 'stops its', 'stop their')} session (marked ${MARKS.stops}), ${counted(rest, 'does', 'do')} not (marked ${MARKS.runs}).`;
  }
  const isLockedOut = inbox.absent.some((session) => needsInvitation(session, nowMs));
  return isShort || (inbox.parked.length > 0 && !isLockedOut)
    ? 'No task waits for you in a running session.'
    : `${nothingText(inbox.absent, nowMs)}.`;
}

/** The lines of the short list that are no tasks of running sessions: how many, and their marks. */
function alsoTexts({ absent, parked }: Inbox<OverviewSession>, nowMs: number): string[] {
  const locked = absent.filter((session) => needsInvitation(session, nowMs)).length;
  const others = absent.length - locked;
  const alone = parked.filter((session) => pauseIdOf(session) === '').length;
  const parts = [
    ...(locked > 0
      ? [
          `${counted(locked, 'session that stops', 'sessions that stop')} until an invited agent joins (marked ${MARKS.locked})`,
        ]
      : []),
    ...(others > 0 ? [`${plural(others, 'session')} with absent agents (marked ${MARKS.absent})`] : []),
    ...(alone > 0
      ? [`${counted(alone, 'draft or paused session', 'drafts and paused sessions')} (marked ${MARKS.parked})`]
      : []),
  ];
  return parts.length > 0 ? [`Also ${listed(parts)}.`] : [];
}

/**
 * For each `pause --all` that paused some of the given sessions, the latest first: the number of these sessions, since when
 * they are paused, and the command that resumes them. `resume --all` without an id resumes what the latest pause paused.
 *
 * @param noun what the given sessions are called
 */
export function stoppedLines(sessions: readonly OverviewSession[], noun: string, looking: Looking): string[] {
  const stopped = sessions
    .filter((session) => pauseIdOf(session) !== '')
    .toSorted((one, other) => pausedAt(other).localeCompare(pausedAt(one)));
  const pauseIds = [...new Set(stopped.map(pauseIdOf))];
  return pauseIds.flatMap((pauseId, index) => {
    const paused = stopped.filter((session) => pauseIdOf(session) === pauseId);
    const flags = index === 0 ? '--all' : `--all --pause-id ${visibleLine(shellWord(pauseId))}`;
    return pausedLines(flags, paused, { ...looking, noun });
  });
}

/** `idleText` of the given sessions, and the command that lists the idle sessions. Empty if no session is idle. */
export function idleLines(sessions: readonly OverviewSession[], { terminal, nowMs }: Looking): string[] {
  const { columns, paint, program } = terminal;
  const text = idleText(sessions, nowMs);
  if (text === '') return [];
  return [
    ...wrapText(`${text}. To list them:`, columns),
    `    ${paint('cyan', `${program} sessions --idle 1h --sort last`)}`,
  ];
}

const pausedAt = ({ stopped }: OverviewSession): string => stopped?.at ?? '';

function pausedLines(
  flags: string,
  sessions: readonly OverviewSession[],
  { terminal, nowMs, noun }: Looking & { readonly noun: string },
): string[] {
  const { columns, paint, program } = terminal;
  const at = sessions.map(pausedAt).toSorted()[0] ?? '';
  const tasks = countWhileStopped(sessions);
  const facts = [
    `${counted(sessions.length, `${noun} is`, `${noun}s are`)} paused by "pause --all", ${agoText(at, nowMs)}.`,
    ...(tasks > 0 ? [`In these sessions, ${counted(tasks, 'task waits', 'tasks wait')} for you.`] : []),
    'To resume them:',
  ];
  return [...wrapText(facts.join(' '), columns), `    ${paint('cyan', `${program} resume ${flags}`)}`];
}

/** Index of the cell with the title. */
const TITLE = 2;

interface Row {
  readonly isBlocking: boolean;
  /** Time since which the task waits, ISO 8601. For tasks that the service does not list, later than every time. */
  readonly since: string;
  readonly cells: readonly [mark: string, session: string, title: string, task: string, age: string];
}

/** A time that is sorted after every other time. */
const UNKNOWN = 'unknown';

/**
 * One line for each task: the mark, the session, its title, what to do, and since when. The most urgent task is the last
 * line, which stays on the screen. Drafts and paused sessions come first, then absent agents.
 */
export function shortLines({ open, absent, parked }: Inbox<OverviewSession>, looking: Looking): string[] {
  const uncounted = [
    ...absent
      .map((session) => absenceRow(session, looking))
      .toSorted((one, other) => Number(isLockedRow(other)) - Number(isLockedRow(one))),
    ...parked.map((session) => parkedRow(session, looking)),
  ];
  return rowLines([...rowsOf(open, looking), ...uncounted], looking.terminal.columns).toReversed();
}

/** The tasks of running sessions, the most urgent first: tasks that block, then the oldest. */
const rowsOf = (open: readonly OverviewSession[], looking: Looking): Row[] =>
  open
    .flatMap((session) => taskRows(session, looking))
    .toSorted(
      (one, other) => Number(other.isBlocking) - Number(one.isBlocking) || one.since.localeCompare(other.since),
    );

function taskRows(session: OverviewSession, looking: Looking): Row[] {
  const nameOf = namesIn(session);
  const more = session.left_out?.count ?? 0;
  return [
    ...waitsToSettle(session).map((wait) =>
      rowOf(
        session,
        { mark: wait.blocking ? MARKS.stops : MARKS.runs, task: taskOf(wait, nameOf), since: wait.since },
        looking,
      ),
    ),
    ...(more > 0
      ? [rowOf(session, { mark: MARKS.runs, task: plural(more, 'more task'), since: UNKNOWN }, looking)]
      : []),
  ];
}

const isLockedRow = ({ cells: [mark] }: Row): boolean => mark === MARKS.locked;

/** The absent agents of a session: `agent_b: silent`. */
function absenceRow(session: OverviewSession, looking: Looking): Row {
  const roles = absentRoles(session);
  const words = session.agents
    .filter(({ role }) => roles.includes(role))
    .map((agent) => [agent.role, hindranceOf(agent, looking.nowMs, true)].filter(Boolean).join(': '));
  const since =
    foldedAbsences(session)
      .map(({ since }) => since)
      .toSorted()[0] ?? UNKNOWN;
  return rowOf(
    session,
    { mark: needsInvitation(session, looking.nowMs) ? MARKS.locked : MARKS.absent, task: words.join(', '), since },
    looking,
  );
}

function parkedRow(session: OverviewSession, looking: Looking): Row {
  const [wait] = session.waits;
  return rowOf(session, { mark: MARKS.parked, task: wait ? taskOf(wait) : '', since: wait?.since ?? UNKNOWN }, looking);
}

const rowOf = (
  session: OverviewSession,
  { mark, task, since }: { readonly mark: string; readonly task: string; readonly since: string },
  looking: Looking,
): Row => ({
  isBlocking: mark === MARKS.stops,
  since,
  cells: [mark, idIn(session, looking), visibleLine(session.title), visibleLine(task), ageText(since, looking.nowMs)],
});

/** The rows with aligned cells and shortened titles. */
function rowLines(rows: readonly Row[], columns: number): string[] {
  const natural = [0, 1, TITLE, 3, 4].map((index) =>
    Math.max(...rows.map(({ cells }) => textWidth(cells[index] ?? ''))),
  );
  const excess = widthOf(natural) - columns;
  const widths = natural.map((width, index) =>
    index === TITLE && excess > 0 ? Math.min(width, Math.max(MIN_SHORTENED_COLUMNS, width - excess)) : width,
  );
  return rows.map(({ cells }) =>
    shortenText(
      lineOf(
        cells.map((cell, index) => shortenText(cell, widths[index] ?? 0)),
        widths,
      ),
      columns,
    ),
  );
}

interface WaitingFlags {
  readonly exitCode?: boolean;
  readonly json?: boolean;
  readonly full?: boolean;
  readonly wait?: boolean;
}

export function addWaiting(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('waiting')
      .description('List the tasks that wait for you in all your sessions, each with its command.')
      .argument('[session_id]', 'print only the tasks of this session, in full'),
  )
    .option('--full', 'print all tasks in full, also if they do not fit the terminal')
    .option('--wait', 'wait until something waits for you, then print one line for each task')
    .option('--exit-code', `exit with ${EXIT.DUE} when something waits, else with ${EXIT.OK}`)
    .addHelpText(
      'after',
      '\nExamples:\n  parley waiting\n  parley waiting SESSION\n  parley waiting --full\n  parley waiting --wait && notify-send "Parley"\n  parley waiting --exit-code > /dev/null || notify-send "Parley"\n\nIf the list in full does not fit the terminal, it has one line for each task: the session, what to do, and since when. The most urgent\ntask is last. A task marked ! stops its session, a task marked - does not. x marks a session that stops until\nan invited agent joins, ~ absent agents that may come back, = a draft or paused session. In a file or a pipe the list is always in full.\n--wait looks every five seconds, goes on if the server restarts or the connection is lost, and ends at once if the given session has ended.',
    );
  command.action(async (given: string | undefined, flags: WaitingFlags) => {
    const client = await connectOwner(terminal);
    const sessionId = given === undefined ? undefined : await client.wholeId(given);
    const read = () => readInbox(client, sessionId);
    const inbox = flags.wait ? await waitForTask(read, { client, sessionId, terminal }) : await read();
    const sessions = [...inbox.open, ...inbox.absent, ...inbox.parked];
    // Neither a session without tasks nor a session that does not exist is in the inbox. This call throws for the second.
    if (sessionId !== undefined && sessions.length === 0) await client.call('view', { session_id: sessionId });
    const { tasks: waiting, blocking } = taskCounts(inbox);
    const absent = sessions.flatMap(foldedAbsences).length;
    const listed = sessions.map((session) => ({ ...session, duties: session.duties ?? [] }));
    const parked = inbox.parked.length;
    if (flags.json) terminal.out(jsonText({ waiting, blocking, absent, parked, sessions: listed }));
    else for (const line of await printedLines(client, inbox, { ...flags, sessionId, terminal })) terminal.out(line);
    if (flags.exitCode && waiting > 0) throw new CliOutcome(EXIT.DUE);
  });
}

interface Asked extends WaitingFlags {
  readonly sessionId: string | undefined;
  readonly terminal: Terminal;
}

async function printedLines(client: OwnerClient, inbox: Inbox<OverviewSession>, asked: Asked): Promise<string[]> {
  const { terminal, sessionId, full, wait } = asked;
  const sessions = [...inbox.open, ...inbox.absent, ...inbox.parked];
  const ids = terminal.columns === UNLIMITED || sessions.length === 0 ? [] : await sessionIds(client);
  const looking = { terminal, nowMs: serverNow(), idOf: (id: string) => shownId(id, ids) };
  if (wait && !full && inbox.open.length > 0) return shortLines({ open: inbox.open, absent: [], parked: [] }, looking);
  const [one] = sessionId === undefined ? [] : inbox.parked;
  if (one) return parkedLines(one, looking);
  const idle = sessionId === undefined ? await readIdle(client, looking) : [];
  return inboxLines(inbox, { ...looking, idle }, full === true || sessionId !== undefined);
}

/** Milliseconds between two reads of the inbox, as in the console. */
const LOOK_MS = 5_000;

interface AskedWait {
  readonly client: OwnerClient;
  readonly sessionId: string | undefined;
  readonly terminal: Terminal;
}

/** Reads the inbox until a task waits for the owner, or the given session has ended. */
async function waitForTask(
  read: () => Promise<Inbox<OverviewSession>>,
  { client, sessionId, terminal }: AskedWait,
): Promise<Inbox<OverviewSession>> {
  const losses = watchLosses((reason) => terminal.err(`parley: connection lost, trying again (${reason})`));
  for (;;) {
    try {
      const inbox = await read();
      if (inbox.open.length > 0) return inbox;
      const view = sessionId === undefined ? undefined : await client.call('view', { session_id: sessionId });
      if (view?.state.status === 'ENDED') return inbox;
      losses.hear();
      await sleep(LOOK_MS);
    } catch (error) {
      await losses.pause(error);
    }
  }
}

const PAGE = 100;

/**
 * Reads every page of the inbox. Requests the first page again while fewer sessions are `unread`, because after an upgrade
 * the service must first read all sessions.
 *
 * @param only the only session to keep. Default: all sessions
 */
async function readInbox(client: OwnerClient, only: string | undefined): Promise<Inbox<OverviewSession>> {
  const pageAfter = (after: string) => client.call('inbox', { limit: PAGE, said: 'whole', ...(after && { after }) });
  let [first, left, looks]: [Answer<'inbox'> | undefined, number, number] = [undefined, Number.POSITIVE_INFINITY, 0];
  // Each look reads the same page, so the number of the look is the cursor.
  const nextLook = ({ unread }: Answer<'inbox'>): string => {
    const isLess = unread > 0 && unread < left;
    left = unread;
    return isLess ? String(++looks) : '';
  };
  for await (const page of pagesOf(() => pageAfter(''), { nextOf: nextLook })) first = page;
  const sessions: OverviewSession[] = [];
  for await (const page of pagesOf(async (after) => (after === '' && first ? first : pageAfter(after))))
    sessions.push(...page.sessions);
  return inboxOf(sessions.filter(({ session_id }) => only === undefined || session_id === only));
}

/** What `idleLines` says of all sessions of the owner. */
async function readIdle(client: OwnerClient, looking: Looking): Promise<string[]> {
  const sessions: OverviewSession[] = [];
  for await (const session of overviewSessions(client)) sessions.push(session);
  return idleLines(sessions, looking);
}

interface LookingAtInbox extends Looking {
  /** The lines about idle sessions. */
  readonly idle: readonly string[];
}

/** The tasks of one draft or paused session in full, below the command that undoes the `pause --all` that paused it. */
function parkedLines(session: OverviewSession, looking: Looking): string[] {
  const head = stoppedLines([session], 'session', looking);
  return [...head, ...(head.length > 0 ? [''] : []), ...sessionLines(session, looking)];
}

/** Lines of the terminal that the shell's prompt and the command take. */
const PROMPT_LINES = 2;

/**
 * The tasks in full, or one line for each task if the terminal is too low for that. In the full list, the sessions paused
 * by `pause --all` are only in the first lines, which have the command that resumes them.
 */
function inboxLines(inbox: Inbox<OverviewSession>, looking: LookingAtInbox, isFull: boolean): string[] {
  const { columns, program, rows = UNLIMITED } = looking.terminal;
  const shown = { ...inbox, parked: inbox.parked.filter((session) => pauseIdOf(session) === '') };
  const head = [...headLines(inbox, looking), ...looking.idle];
  const list = formatInbox(shown, looking);
  const lines = [...head, ...(list.length > 0 ? ['', ...list] : [])];
  if (isFull || lines.length <= rows - PROMPT_LINES) return lines;
  return [
    ...shortLines(shown, looking),
    ...headLines(inbox, { ...looking, isShort: true }),
    ...looking.idle,
    ...wrapText(`To read one session in full: ${program} waiting SESSION; all: ${program} waiting --full.`, columns),
  ];
}
