import { counted } from '@parley/core/text';
import { type Agent, absentText, canCall, isInvited, namedText } from '../../text/agent.ts';
import {
  absentRoles,
  type Inbox,
  isParked,
  MARKS,
  mostUrgentFirst,
  needsInvitation,
  waitsToSettle,
} from '../../text/inbox.ts';
import { TELL_AGENT } from '../../text/joining.ts';
import { tableLines, wrapText } from '../../text/table.ts';
import { agoText } from '../../text/time.ts';
import { shellWord, visible, visibleLine } from '../../text/visible.ts';
import type { OverviewSession } from '../client/lists.ts';
import type { Terminal } from '../terminal.ts';
import { isSilent, type NameOf, namesIn, seenIn } from './names.ts';
import { commandsOf, LOST_CODE, type Wait } from './next-step.ts';

/** The terminal, and the current time in milliseconds since 1970, from which ages are computed. */
export interface Looking {
  readonly terminal: Terminal;
  readonly nowMs: number;
  /** Returns the id of a session as the lines show it. Default: the whole id. */
  readonly idOf?: (sessionId: string) => string;
}

/** A session with its tasks: one of the inbox, or a view. */
type WaitingSession = Pick<OverviewSession, 'session_id' | 'status' | 'waits' | 'left_out'> & {
  readonly agents: readonly Agent[];
} & (Pick<OverviewSession, 'events'> | Parameters<typeof seenIn>[0]);

/** The id of a session in the printed lines and commands. */
export const idIn = ({ session_id }: Pick<OverviewSession, 'session_id'>, { idOf }: Looking): string =>
  idOf?.(session_id) ?? session_id;

/**
 * Formats the tasks of the owner, session by session. Below them, adds one line for each session whose tasks are all
 * about absent agents, and one line for each draft or paused session.
 */
export function formatInbox({ open, absent, parked }: Inbox<OverviewSession>, looking: Looking): string[] {
  const blocks = [
    ...open.map((session) => sessionLines(session, looking)),
    ...[true, false].flatMap((locked) => {
      const sessions = absent.filter((session) => needsInvitation(session, looking.nowMs) === locked);
      return sessions.length > 0 ? [absentLines(sessions, locked, looking)] : [];
    }),
    ...(parked.length > 0 ? [parkedLines(parked, looking)] : []),
  ];
  return blocks.flatMap((lines, index) => (index > 0 ? ['', ...lines] : lines));
}

/** The title of a session, its status and phase, and its tasks in full. */
export function sessionLines(session: OverviewSession, looking: Looking): string[] {
  const { paint, columns } = looking.terminal;
  const facts = [idIn(session, looking), session.status, session.phase].join(', ');
  return [
    ...wrapText(visibleLine(session.title), columns).map((line) => paint('bold', line)),
    paint('dim', facts),
    ...waitsLines(session, looking),
  ];
}

/**
 * The tasks of the owner in one session: for each task its description and the commands that complete it. Below them, the
 * absent agents with the commands that invite them.
 */
export function waitsLines(session: WaitingSession, looking: Looking): string[] {
  const { left_out } = session;
  const more = left_out && `${counted(left_out.count, 'more task is', 'more tasks are')} not shown. ${left_out.how}`;
  const nameOf = namesIn(session);
  const sessionId = idIn(session, looking);
  return [
    ...mostUrgentFirst(waitsToSettle(session)).flatMap((wait) =>
      waitLines(wait, { ...looking, nameOf, sessionId, session }),
    ),
    ...(more ? [looking.terminal.paint('dim', more)] : []),
    ...notThereLines(session, looking),
  ];
}

/**
 * The command that shows what the owner should read before the task: the brief of an approval or an authorization, or the
 * record of the task if its type is in `READ_FIRST`. Empty for any other task.
 */
function readingLines({ operation, record }: Wait, program: string, sessionId: string): string[] {
  if (operation === 'approveContract' || operation === 'authorize') return [`${program} brief ${sessionId}`];
  return READ_FIRST.has(record.type) ? [`${program} show ${sessionId} ${shellWord(record.id)}`] : [];
}

const READ_FIRST: ReadonlySet<string> = new Set(['question', 'finding', 'defect', 'hold']);

interface Waiting extends Looking {
  readonly nameOf: NameOf;
  readonly sessionId: string;
  readonly session: WaitingSession;
}

function waitLines(wait: Wait, looking: Waiting): string[] {
  const { terminal, nowMs, nameOf, sessionId, session } = looking;
  const { columns, paint } = terminal;
  const { kind, from, since, said } = wait;
  const isStart = kind === 'START';
  // A draft stops for the agents that have not joined, or whose access was revoked.
  const unjoined = isStart ? session.agents.filter(({ joined, revoked }) => joined === false || revoked) : [];
  const mark = isParked(session) ? MARKS.parked : wait.blocking ? MARKS.stops : MARKS.runs;
  const facts = [kind, ...(from ? [`from ${nameOf(from)}`] : []), agoText(since, nowMs)].join(', ');
  return [
    ...wrapText(`${facts}: ${visibleLine(namedText(wait.text, nameOf))}`, columns - 2).map(
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
const shownIn = (session: WaitingSession) => ('head' in session ? seenIn(session) : { seen: session.events });

/** The absent agents of a session, on one line below the tasks of that session. */
function notThereLines(session: WaitingSession, looking: Looking): string[] {
  const absent = absentAgents(session);
  if (absent.length === 0) return [];
  const text = `absent: ${absentText(absent, looking.nowMs)}`;
  const mark = needsInvitation(session, looking.nowMs) ? MARKS.locked : MARKS.absent;
  return [
    ...wrapText(text, looking.terminal.columns - 2).map((line, index) => `${index === 0 ? mark : ' '} ${line}`),
    ...(absent.some((agent) => isSilent(agent, looking.nowMs))
      ? wrapText(`Tell the silent agent: ${TELL_AGENT}`, looking.terminal.columns - 4).map((line) => `    ${line}`)
      : []),
    ...inviteLines(session, looking).map((line) => `  ${line}`),
    ...lostCodeLines(absent, session, looking),
  ];
}

const absentAgents = (session: WaitingSession): Agent[] => {
  const absent = absentRoles(session);
  return session.agents.filter(({ role }) => absent.includes(role));
};

const inviteLines = (session: WaitingSession, looking: Looking): string[] =>
  inviteCommands(
    uninvited(absentAgents(session), looking).filter((agent) => !isSilent(agent, looking.nowMs)),
    session,
    looking,
  ).map((line) => looking.terminal.paint('cyan', `  ${line}`));

/** The agents without a code that is not redeemed yet. */
const uninvited = (agents: readonly Agent[], { nowMs }: Looking): Agent[] =>
  agents.filter((agent) => !isInvited(agent, nowMs));

const inviteCommands = (agents: readonly Agent[], session: WaitingSession, looking: Looking): string[] =>
  agents.map(({ role }) => `${looking.terminal.program} invite ${idIn(session, looking)} --role ${shellWord(role)}`);

/** The commands that replace lost codes, because a code is shown only once. Empty if no agent without access has a code. */
function lostCodeLines(agents: readonly Agent[], session: WaitingSession, looking: Looking): string[] {
  const { nowMs, terminal } = looking;
  const invited = agents.filter((agent) => isInvited(agent, nowMs) && !canCall(agent, nowMs));
  if (invited.length === 0) return [];
  return [
    ...wrapText(LOST_CODE, terminal.columns - 2).map((line) => `  ${line}`),
    ...inviteCommands(invited, session, looking).map((line) => `    ${terminal.paint('cyan', line)}`),
  ];
}

function absentLines(absent: readonly OverviewSession[], locked: boolean, looking: Looking): string[] {
  const commands = absent.flatMap((session) => inviteLines(session, looking));
  const rows = absent.map((session) => [
    idIn(session, looking),
    session.phase,
    absentText(absentAgents(session), looking.nowMs),
    session.title,
  ]);
  return [
    ...tableLines({ heads: ['session', 'phase', 'absent agents', 'title'], rows, isShortened: true }, looking.terminal),
    `${locked ? 'These sessions stop until an invited agent joins.' : 'In these sessions an agent is absent: no decision of yours is needed.'}${commands.length > 0 ? ' To give an agent a new code:' : ''}`,
    ...commands,
  ];
}

function parkedLines(parked: readonly OverviewSession[], looking: Looking): string[] {
  const { program } = looking.terminal;
  const rows = parked.map((session) => [
    idIn(session, looking),
    session.status,
    session.phase,
    String(session.waits.length),
    session.title,
  ]);
  return [
    ...tableLines(
      { heads: ['session', 'status', 'phase', 'tasks', 'title'], rows, isShortened: true },
      looking.terminal,
    ),
    `To start a draft: ${program} start SESSION. To resume a paused session: ${program} resume SESSION.`,
  ];
}
