import { type Agent, absentText, canCall, isInvited, namedText } from '../../text/agent.ts';
import { agoText } from '../../text/ago.ts';
import { counted } from '../../text/counted.ts';
import { absentRoles, type Inbox, isParked, mostUrgentFirst, waitsToSettle } from '../../text/inbox.ts';
import { shellWord } from '../../text/shell-word.ts';
import { tableLines } from '../../text/table.ts';
import { MARKS } from '../../text/task.ts';
import { TELL_AGENT } from '../../text/tell-agent.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';
import type { Summary } from '../client/summary.ts';
import type { Seen } from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { agentIn, isLocked, isSilent, type NameOf, namesIn, seenIn, unjoinedAgents } from './agent-names.ts';
import { commandsOf, LOST_CODE } from './next-step.ts';

/** The terminal, and the current time in milliseconds since 1970, from which ages are computed. */
export interface Looking {
  readonly terminal: Terminal;
  readonly nowMs: number;
  /** Returns the id of a session as the lines show it. Default: the whole id. */
  readonly idOf?: (sessionId: string) => string;
}

/** The id of a session in the printed lines and commands. */
export const idIn = (session: Members, { idOf }: Looking): string => {
  const id = textIn(session, 'session_id');
  return idOf?.(id) ?? id;
};

/**
 * Formats the tasks of the owner, session by session. Below them, adds one line for each session whose tasks are all
 * about absent agents, and one line for each draft or paused session.
 */
export function formatInbox({ open, absent, parked }: Inbox<Summary>, looking: Looking): string[] {
  const blocks = [
    ...open.map((session) => sessionLines(session, looking)),
    ...[true, false].flatMap((locked) => {
      const sessions = absent.filter((session) => isLocked(session, looking.nowMs) === locked);
      return sessions.length > 0 ? [absentLines(sessions, locked, looking)] : [];
    }),
    ...(parked.length > 0 ? [parkedLines(parked, looking)] : []),
  ];
  return blocks.flatMap((lines, index) => (index > 0 ? ['', ...lines] : lines));
}

/** The title of a session, its status and phase, and its tasks in full. */
export function sessionLines(session: Summary, looking: Looking): string[] {
  const { paint, columns } = looking.terminal;
  const facts = [idIn(session, looking), textIn(session, 'status'), textIn(session, 'phase')].join(', ');
  const title = visibleLine(textIn(session, 'title'));
  return [
    ...wrapText(title, columns).map((line) => paint('bold', line)),
    paint('dim', facts),
    ...waitsLines(session, looking),
  ];
}

/**
 * The tasks of the owner in one session: for each task its description and the commands that complete it. Below them, the
 * absent agents with the commands that invite them.
 */
export function waitsLines(session: Summary, looking: Looking): string[] {
  const leftOut = membersOf(session.left_out);
  const count = numberIn(leftOut, 'count');
  const more =
    count > 0
      ? [
          looking.terminal.paint(
            'dim',
            `${counted(count, 'more task is', 'more tasks are')} not shown. ${textIn(leftOut, 'how')}`,
          ),
        ]
      : [];
  const nameOf = namesIn(session);
  const sessionId = idIn(session, looking);
  return [
    ...mostUrgentFirst(waitsToSettle(session)).flatMap((wait) =>
      waitLines({ ...wait }, { ...looking, nameOf, sessionId, session }),
    ),
    ...more,
    ...notThereLines(session, looking),
  ];
}

/**
 * The command that shows what the owner should read before the task: the brief of an approval or an authorization, or the
 * record of the task if its type is in `READ_FIRST`. Empty for any other task.
 */
function readingLines(wait: Members, program: string, sessionId: string): string[] {
  const operation = textIn(wait, 'operation');
  if (operation === 'approveContract' || operation === 'authorize') return [`${program} brief ${sessionId}`];
  const record = membersOf(wait.record);
  return READ_FIRST.has(textIn(record, 'type'))
    ? [`${program} show ${sessionId} ${shellWord(textIn(record, 'id'))}`]
    : [];
}

const READ_FIRST: ReadonlySet<string> = new Set(['question', 'finding', 'defect', 'hold']);

interface Waiting extends Looking {
  readonly nameOf: NameOf;
  readonly sessionId: string;
  readonly session: Summary;
}

function waitLines(wait: Members, looking: Waiting): string[] {
  const { terminal, nowMs, nameOf, sessionId, session } = looking;
  const { columns, paint } = terminal;
  const [from, since, said] = ['from', 'since', 'said'].map((member) => textIn(wait, member));
  const isStart = textIn(wait, 'kind') === 'START';
  const unjoined = isStart ? unjoinedAgents(session) : [];
  const mark = isParked(session) ? MARKS.parked : wait.blocking === true ? MARKS.stops : MARKS.runs;
  const facts = [
    textIn(wait, 'kind'),
    ...(from ? [`from ${nameOf(from)}`] : []),
    ...(since ? [agoText(since, nowMs)] : []),
  ].join(', ');
  return [
    ...wrapText(`${facts}: ${visibleLine(namedText(textIn(wait, 'text'), nameOf))}`, columns - 2).map(
      (line, index) => `${index === 0 ? mark : ' '} ${line}`,
    ),
    ...(said ? wrapText(visible(said), columns - 4).map((line) => `  ${paint('dim', '│')} ${line}`.trimEnd()) : []),
    ...[
      ...readingLines(wait, terminal.program, sessionId),
      ...(isStart ? inviteCommands(uninvited(unjoined, looking), session, looking) : []),
      ...commandsOf(wait, { terminal, sessionId, seen: shownIn(session) }),
    ].map((line) => `    ${paint('cyan', line)}`),
    ...(isStart ? lostCodeLines(unjoined, session, looking) : []),
  ];
}

/** The latest event of a session: its head in a view; in the inbox, which has no hash, its number of events. */
function shownIn(session: Summary): Seen {
  const events = numberIn(session, 'events');
  return events > 0 ? { seen: events } : seenIn(session);
}

/** The absent agents of a session, on one line below the tasks of that session. */
function notThereLines(session: Summary, looking: Looking): string[] {
  const absent = absentAgents(session);
  if (absent.length === 0) return [];
  const text = `absent: ${absentText(absent, looking.nowMs)}`;
  const mark = isLocked(session, looking.nowMs) ? MARKS.locked : MARKS.absent;
  return [
    ...wrapText(text, looking.terminal.columns - 2).map((line, index) => `${index === 0 ? mark : ' '} ${line}`),
    ...(absent.some((agent) => isSilent(agent, looking.nowMs))
      ? wrapText(`Tell the silent agent: ${TELL_AGENT}`, looking.terminal.columns - 4).map((line) => `    ${line}`)
      : []),
    ...inviteLines(session, looking).map((line) => `  ${line}`),
    ...lostCodeLines(absent, session, looking),
  ];
}

const absentAgents = (session: Summary): Agent[] => {
  const absent = absentRoles(session);
  return recordsIn(session, 'agents')
    .map(agentIn)
    .filter(({ role }) => absent.includes(role));
};

const inviteLines = (session: Summary, looking: Looking): string[] =>
  inviteCommands(
    uninvited(absentAgents(session), looking).filter((agent) => !isSilent(agent, looking.nowMs)),
    session,
    looking,
  ).map((line) => looking.terminal.paint('cyan', `  ${line}`));

/** The agents without a code that is not redeemed yet. */
const uninvited = (agents: readonly Agent[], { nowMs }: Looking): Agent[] =>
  agents.filter((agent) => !isInvited(agent, nowMs));

const inviteCommands = (agents: readonly Agent[], session: Summary, looking: Looking): string[] =>
  agents.map(({ role }) => `${looking.terminal.program} invite ${idIn(session, looking)} --role ${shellWord(role)}`);

/** The commands that replace lost codes, because a code is shown only once. Empty if no agent without access has a code. */
function lostCodeLines(agents: readonly Agent[], session: Summary, looking: Looking): string[] {
  const { nowMs, terminal } = looking;
  const invited = agents.filter((agent) => isInvited(agent, nowMs) && !canCall(agent, nowMs));
  if (invited.length === 0) return [];
  return [
    ...wrapText(LOST_CODE, terminal.columns - 2).map((line) => `  ${line}`),
    ...inviteCommands(invited, session, looking).map((line) => `    ${terminal.paint('cyan', line)}`),
  ];
}

function absentLines(absent: readonly Summary[], locked: boolean, looking: Looking): string[] {
  const { columns, paint } = looking.terminal;
  const commands = absent.flatMap((session) => inviteLines(session, looking));
  const rows = absent.map((session) => [
    idIn(session, looking),
    textIn(session, 'phase'),
    absentText(absentAgents(session), looking.nowMs),
    textIn(session, 'title'),
  ]);
  return [
    ...tableLines(
      { heads: ['session', 'phase', 'absent agents', 'title'], rows, flexible: 3, isShortened: true },
      columns,
      paint,
    ),
    `${locked ? 'These sessions stop until an invited agent joins.' : 'In these sessions an agent is absent: no decision of yours is needed.'}${commands.length > 0 ? ' To give an agent a new code:' : ''}`,
    ...commands,
  ];
}

function parkedLines(parked: readonly Members[], looking: Looking): string[] {
  const { columns, paint, program } = looking.terminal;
  const rows = parked.map((session) => [
    idIn(session, looking),
    textIn(session, 'status'),
    textIn(session, 'phase'),
    String(recordsIn(session, 'waits').length),
    textIn(session, 'title'),
  ]);
  return [
    ...tableLines(
      { heads: ['session', 'status', 'phase', 'tasks', 'title'], rows, flexible: 4, isShortened: true },
      columns,
      paint,
    ),
    `To start a draft: ${program} start SESSION. To resume a paused session: ${program} resume SESSION.`,
  ];
}
