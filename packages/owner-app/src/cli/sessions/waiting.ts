import type { Command } from 'commander';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { foldedAbsences, type Inbox, inboxOf } from '../../text/inbox.ts';
import { UNLIMITED } from '../../text/page.ts';
import { numberIn, recordsIn, textIn } from '../../transcript/message.ts';
import { sessionIds } from '../client/all-sessions.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import { withJson } from '../print/answer.ts';
import { formatInbox, type MovingSummary, summaryOf } from '../print/format-waiting.ts';
import type { Terminal } from '../terminal.ts';
import { headLines, pauseIdOf, taskCounts } from './waiting-head.ts';
import { shortLines, urgentLines } from './waiting-short.ts';

interface WaitingFlags {
  readonly exitCode?: boolean;
  readonly json?: boolean;
  readonly short?: boolean;
}

export function addWaiting(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('waiting')
      .description('List the tasks that wait for you in all your sessions, each with its command.'),
  )
    .option('--short', 'print one line for each task in a running session: what to do, and since when')
    .option('--exit-code', `exit with ${EXIT.DUE} when something waits, else with ${EXIT.OK}`)
    .addHelpText(
      'after',
      '\nExamples:\n  parley waiting\n  parley waiting --short\n  parley waiting --exit-code > /dev/null || notify-send "Parley"\n\nWith --short, absent agents, drafts and paused sessions are left out. On a terminal the most urgent task is the last line above\nthe number of tasks; in a file or a pipe the number of tasks comes first, and then the most urgent task.',
    );
  command.action(async ({ exitCode, json, short }: WaitingFlags) => {
    const client = await connectOwner(terminal);
    const inbox = await readInbox(client);
    const sessions = [...inbox.open, ...inbox.absent, ...inbox.parked];
    const { tasks: waiting, blocking } = taskCounts(inbox);
    const absent = sessions.flatMap(foldedAbsences).length;
    if (json) terminal.out(JSON.stringify({ waiting, blocking, absent, parked: inbox.parked.length, sessions }));
    else for (const line of await (short ? briefLines : inboxLines)(inbox, client, terminal)) terminal.out(line);
    if (exitCode && waiting > 0) throw new CliOutcome(EXIT.DUE);
  });
}

const PAGE = 100;

/**
 * Reads every page of the inbox. Requests the first page again while its `unread` is above 0, because after an upgrade
 * the service must first read all sessions.
 */
async function readInbox(client: OwnerClient): Promise<Inbox<MovingSummary>> {
  const pageAfter = (after?: string) =>
    client.call(OWNER_ROUTES.inbox, { input: { limit: PAGE, said: 'whole', ...(after && { after }) } });
  let page = await pageAfter();
  while (numberIn(page, 'unread') > 0) page = await pageAfter();
  const sessions = recordsIn(page, 'sessions');
  for (let after = textIn(page, 'next_after'); after; after = textIn(page, 'next_after')) {
    page = await pageAfter(after);
    sessions.push(...recordsIn(page, 'sessions'));
  }
  return inboxOf(sessions.map(summaryOf));
}

/** Maximum number of lines of a list that is on the screen as a whole: a terminal has at least 24 lines. */
const SCREEN_LINES = 20;

/**
 * The sessions paused by `pause --all` are only in the first lines, which have the command that resumes them. A list on
 * a terminal that is longer than the screen ends with its most urgent tasks.
 */
async function inboxLines(inbox: Inbox<MovingSummary>, client: OwnerClient, terminal: Terminal): Promise<string[]> {
  const looking = { terminal, nowMs: Date.now() };
  const parked = inbox.parked.filter((session) => pauseIdOf(session) === '');
  const list = formatInbox({ ...inbox, parked }, looking);
  const lines = [...headLines(inbox, looking), ...(list.length > 0 ? ['', ...list] : [])];
  if (terminal.columns === UNLIMITED || lines.length <= SCREEN_LINES || inbox.open.length === 0) return lines;
  return [...lines, '', ...urgentLines(inbox.open, { ...looking, ids: await sessionIds(client) })];
}

/** One line for each task. On a terminal, the number of tasks is the last line, because the first may not be on the screen. */
async function briefLines(inbox: Inbox<MovingSummary>, client: OwnerClient, terminal: Terminal): Promise<string[]> {
  const looking = { terminal, nowMs: Date.now() };
  const isPiped = terminal.columns === UNLIMITED;
  const head = headLines(inbox, looking);
  const rows = shortLines(inbox.open, { ...looking, ids: isPiped ? [] : await sessionIds(client) });
  return isPiped ? [...head, ...rows] : [...rows, ...head];
}
