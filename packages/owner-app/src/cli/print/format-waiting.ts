import { absentText, namedText } from '../../text/agent.ts';
import { agoText } from '../../text/ago.ts';
import { foldedAbsences, type Inbox, type InboxSession, mostUrgentFirst, waitsToSettle } from '../../text/inbox.ts';
import type { ActingSession } from '../../text/next-steps.ts';
import { tableLines } from '../../text/table.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import type { Terminal } from '../terminal.ts';
import { agentIn, type NameOf, namesIn } from './agent-names.ts';
import { commandsOf } from './next-step.ts';

/** The terminal, and the current time in milliseconds since 1970, from which ages are computed. */
export interface Looking {
  readonly terminal: Terminal;
  readonly nowMs: number;
}

/** The summary of a session with the members by which `inboxOf` sorts sessions. */
export type Summary = Members & InboxSession;
/** A summary with the members that say who must act next, and what the tasks are. */
export type MovingSummary = Members &
  Omit<InboxSession & ActingSession, 'waits'> & {
    readonly since: string | null;
    readonly waits: readonly (InboxSession['waits'][number] & ActingSession['waits'][number])[];
  };

/** Converts a session in the answer of `overview` or `inbox` to a summary. */
export const summaryOf = (session: Members): MovingSummary => ({
  ...session,
  status: textIn(session, 'status'),
  updated_at: textIn(session, 'updated_at'),
  movers: textsIn(session, 'movers'),
  since: textIn(session, 'since') || null,
  duties: recordsIn(session, 'duties').map((duty) => ({ role: textIn(duty, 'role'), text: textIn(duty, 'text') })),
  ...(session.left_out !== undefined && { left_out: leftOutOf(session) }),
  waits: recordsIn(session, 'waits').map((wait) => ({
    ...wait,
    kind: textIn(wait, 'kind'),
    blocking: wait.blocking === true,
    since: textIn(wait, 'since') || undefined,
    record: recordOf(membersOf(wait.record)),
  })),
});

/** Converts the view of a session to a summary. `left_out` of a view counts records of all lists, so it is removed. */
export const summaryOfView = ({ left_out: _all, ...view }: Members): MovingSummary =>
  summaryOf({ ...view, status: textIn(membersOf(view.state), 'status') });

/** The roles of the agents that the service reports as absent. */
export const absentRoles = (session: Summary): string[] =>
  foldedAbsences(session).flatMap(({ record }) => record?.id ?? []);

const recordOf = (record: Members) => ({ ...record, type: textIn(record, 'type'), id: textIn(record, 'id') });

const leftOutOf = (session: Members) => {
  const leftOut = membersOf(session.left_out);
  return { ...leftOut, count: numberIn(leftOut, 'count') };
};

/**
 * Formats the tasks of the owner, session by session. Below them, adds one line for each session whose tasks are all
 * about absent agents, and one line for each draft or paused session.
 */
export function formatInbox({ open, absent, parked }: Inbox<Summary>, looking: Looking): string[] {
  const blocks = [
    ...open.map((session) => sessionLines(session, looking)),
    ...(absent.length > 0 ? [absentLines(absent, looking)] : []),
    ...(parked.length > 0 ? [parkedLines(parked, looking)] : []),
  ];
  return blocks.flatMap((lines, index) => (index > 0 ? ['', ...lines] : lines));
}

function sessionLines(session: Summary, looking: Looking): string[] {
  const { paint, columns } = looking.terminal;
  const facts = [textIn(session, 'session_id'), textIn(session, 'status'), textIn(session, 'phase')].join(', ');
  const title = visibleLine(textIn(session, 'title'));
  return [
    ...wrapText(title, columns).map((line) => paint('bold', line)),
    paint('dim', facts),
    ...waitsLines({ ...session, waits: waitsToSettle(session) }, looking),
    ...notThereLines(session, looking),
  ];
}

/** The tasks of the owner in one session: for each task its description and the commands that complete it. */
export function waitsLines(session: Members, looking: Looking): string[] {
  const leftOut = membersOf(session.left_out);
  const count = numberIn(leftOut, 'count');
  const more =
    count > 0
      ? [
          looking.terminal.paint(
            'dim',
            `${count} more ${count === 1 ? 'task is' : 'tasks are'} not shown. ${textIn(leftOut, 'how')}`,
          ),
        ]
      : [];
  const nameOf = namesIn(session);
  const sessionId = textIn(session, 'session_id');
  const waits = recordsIn(session, 'waits').map((wait) => ({
    ...wait,
    kind: textIn(wait, 'kind'),
    blocking: wait.blocking === true,
  }));
  return [...mostUrgentFirst(waits).flatMap((wait) => waitLines(wait, { ...looking, nameOf, sessionId })), ...more];
}

/**
 * The command that shows what the owner should read before the task. For an approval or an authorization, the command
 * prints the brief. For a question, the command prints the question and the turn in which the question was asked. For a
 * dispute, the command prints the finding or the defect, with what both sides say. For a hold, the command prints the
 * finding on which the hold rests. Empty for any other task.
 */
function readingLines(wait: Members, program: string, sessionId: string): string[] {
  const operation = textIn(wait, 'operation');
  if (operation === 'approveContract' || operation === 'authorize') return [`${program} brief ${sessionId}`];
  const id = readRecord(wait);
  return id ? [`${program} show ${sessionId} ${id}`] : [];
}

function readRecord(wait: Members): string | undefined {
  const operation = textIn(wait, 'operation');
  if (textIn(wait, 'kind') === 'DISPUTE') return textIn(membersOf(wait.record), 'id');
  if (operation === 'answerQuestion') return textIn(membersOf(wait.payload), 'question_id');
  // The text of a hold's task contains no id of a finding but that of the finding on which the hold rests.
  return operation === 'releaseHold' ? /\bf_\d+\b/.exec(textIn(wait, 'text'))?.[0] : undefined;
}

interface Waiting extends Looking {
  readonly nameOf: NameOf;
  readonly sessionId: string;
}

function waitLines(wait: Members, { terminal, nowMs, nameOf, sessionId }: Waiting): string[] {
  const { columns, paint } = terminal;
  const [from, since, said] = ['from', 'since', 'said'].map((member) => textIn(wait, member));
  const mark = wait.blocking === true && textIn(wait, 'kind') !== 'AGENT_ABSENT' ? '!' : '-';
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
    ...[...readingLines(wait, terminal.program, sessionId), ...commandsOf(wait, { terminal, sessionId })].map(
      (line) => `    ${paint('cyan', line)}`,
    ),
  ];
}

/** The absent agents of a session, on one line below the tasks of that session. */
function notThereLines(session: Summary, { terminal: { columns }, nowMs }: Looking): string[] {
  const text = foldedText(session, nowMs);
  if (text === '') return [];
  return wrapText(`absent: ${text}`, columns - 2).map((line, index) => `${index === 0 ? '-' : ' '} ${line}`);
}

/** Which agents of a session are absent, and why. */
function foldedText(session: Summary, nowMs: number): string {
  const absent = absentRoles(session);
  const agents = recordsIn(session, 'agents').filter((agent) => absent.includes(textIn(agent, 'role')));
  return absentText(agents.map(agentIn), nowMs);
}

function absentLines(absent: readonly Summary[], { terminal: { columns, paint, program }, nowMs }: Looking): string[] {
  const rows = absent.map((session) => [
    textIn(session, 'session_id'),
    textIn(session, 'phase'),
    foldedText(session, nowMs),
    textIn(session, 'title'),
  ]);
  return [
    ...tableLines(
      { heads: ['session', 'phase', 'absent agents', 'title'], rows, flexible: 3, isShortened: true },
      columns,
      paint,
    ),
    'In these sessions an agent is absent: no decision of yours is needed. To give an agent a new code:',
    ...absent.flatMap((session) =>
      absentRoles(session).map((role) =>
        paint('cyan', `  ${program} invite ${textIn(session, 'session_id')} --role ${role}`),
      ),
    ),
  ];
}

function parkedLines(parked: readonly Members[], { terminal: { columns, paint, program } }: Looking): string[] {
  const rows = parked.map((session) => [
    textIn(session, 'session_id'),
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
