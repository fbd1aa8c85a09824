import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@parley/core/client';
import type { Command } from 'commander';
import { serverNow } from '../../text/ago.ts';
import { foldedAbsences, type Inbox, inboxOf } from '../../text/inbox.ts';
import { UNLIMITED } from '../../text/page.ts';
import { jsonText } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type OverviewSession, overviewSessions, sessionIds } from '../client/all-sessions.ts';
import { watchLosses } from '../client/lost-connection.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { pagesOf } from '../client/pages.ts';
import { shownId } from '../client/shown-id.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import { withJson } from '../print/answer.ts';
import { formatInbox, type Looking, sessionLines } from '../print/format-waiting.ts';
import type { Terminal } from '../terminal.ts';
import { headLines, idleLines, pauseIdOf, stoppedLines, taskCounts } from './waiting-head.ts';
import { shortLines } from './waiting-short.ts';

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
