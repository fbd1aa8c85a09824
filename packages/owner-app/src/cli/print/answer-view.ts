import type { Answer, OwnerCallName } from '@parley/core/client';
import { timeText } from '@parley/core/text';
import { namedText } from '../../text/agent.ts';
import { actingIn, nextSteps, stepText } from '../../text/inbox.ts';
import { agentPrompt, installLine, joinAddress, joinLines, wordsToJoin } from '../../text/joining.ts';
import type { Page } from '../../text/page.ts';
import type { Json } from '../../text/read-as.ts';
import { outlineLines, type Table, tableLines, wrapText } from '../../text/table.ts';
import { serverNow, withTimes } from '../../text/time.ts';
import { shellWord, visible, visibleLine } from '../../text/visible.ts';
import { addressByServer } from '../client/request.ts';
import { isScriptAt, settlingLine } from '../flags/command-line.ts';
import { ownWords, type Terminal } from '../terminal.ts';
import { type ContractPart, contractLines, type ReadMarks } from './contract/contract-answer.ts';
import { terminalMarkdown } from './contract/terminal-markdown.ts';
import { formatBoard } from './format-board.ts';
import { formatBrief, formatChanges } from './format-brief.ts';
import { formatDiff, forOwner } from './format-record.ts';
import { formatSession } from './format-session.ts';
import { type NameOf, namesIn, seenIn } from './names.ts';
import { type ReadingPlace, stepLines } from './next-step.ts';

type Blockers = Answer<'blockers'>;

/**
 * Returns the command line for an owner operation. `payload` contains the members of the operation's input that are
 * already known.
 */
type CommandOf = (operation: string, payload: Json) => string;

interface BlockerWords {
  readonly commandOf: CommandOf;
  readonly nameOf: NameOf;
  /** A line for each role that must act next. Shown if the contract is approved. */
  readonly next: readonly string[];
}

/** Formats the blockers of an approval, and the command for each blocker that the owner can remove. */
function formatBlockers(
  { certified, latest_revision: latest, blockers }: Blockers,
  { commandOf, nameOf, next }: BlockerWords,
  page: Page,
): string[] {
  const { columns, paint } = page;
  const title = visibleLine(latest?.title ?? '');
  if (latest && certified)
    return latest.status === 'APPROVED'
      ? [
          paint(['green', 'bold'], `✔ ${latest.revision_id} is approved: ${title}`),
          ...next.flatMap((line) => wrapText(visibleLine(line), columns)),
        ]
      : [
          paint(['green', 'bold'], `✔ nothing blocks ${latest.revision_id}: ${title}`),
          '',
          `  ${commandOf('approveContract', { revision_id: latest.revision_id, content_hash: latest.content_hash })}`,
        ];
  return [
    latest ? `${latest.revision_id} ${latest.status}  ${title}` : 'No revision yet',
    '',
    ...tableLines(tableOf(blockers, nameOf), page),
    ...commandLines(blockers, commandOf),
  ];
}

const tableOf = (blockers: Blockers['blockers'], nameOf: NameOf): Table => ({
  heads: ['code', 'record', 'who', 'what'],
  rows: blockers.map(({ code, record, responsible, message }) => [
    code,
    record.id,
    nameOf(responsible),
    namedText(message, nameOf),
  ]),
});

function commandLines(blockers: Blockers['blockers'], commandOf: CommandOf): string[] {
  const lines = blockers
    .filter(({ responsible }) => responsible === 'owner')
    .map(({ resolution: { tool = '', payload = {} } }) => `  ${commandOf(tool, payload)}`);
  return lines.length > 0 ? ['', 'You can:', '', ...new Set(lines)] : [];
}

type View = Answer<'view'>;

interface Shown {
  readonly terminal: Terminal;
  readonly url: string;
  /** The id of the session in printed commands: the whole id or a prefix. */
  readonly sessionId: string;
  /**
   * The view of the session, which contains the names of the agents and the requirements. Undefined if `needsView` is
   * false for the operation, and if the view could not be read.
   */
  readonly view?: View | undefined;
  /** The test board of the session. Undefined if `needsBoard` is false for the operation and the view. */
  readonly board?: Answer<'board'> | undefined;
  /** The input of the operation. Absent for an operation that another command calls. */
  readonly input?: Json;
  /** The part of a contract that is shown. Default: the whole contract. */
  readonly part?: ContractPart | undefined;
  /** What the owner has read of the latest revision. Absent if another revision is shown. */
  readonly marks?: ReadMarks | undefined;
  /** Whether a prompt follows the answer. */
  readonly isAsked?: boolean;
}

/** Formats the answer of an operation. An operation without a printer of its own has its answer formatted as an outline. */
export function showAnswer(operation: string, { left_out, ...answer }: Json, shown: Shown): string[] {
  // The operation is known only now: its printer gets the answer of the same operation.
  const lines = SHOW[operation]?.(answer as never, shown) ?? outlineLines(withTimes(answer), shown.terminal);
  return [...lines, ...leftOutLines(left_out as View['left_out'], shown.terminal)];
}

/** How many records the answer left out because of its size, and how to read them. */
const leftOutLines = (leftOut: View['left_out'], { paint }: Terminal): string[] =>
  leftOut ? ['', paint('dim', `Records left out: ${leftOut.count}. ${leftOut.how}`)] : [];

const WITH_VIEW: ReadonlySet<string> = new Set(['blockers', 'brief', 'changes', 'invite', 'plan', 'revision']);

/**
 * Whether the text of an answer shows names of agents, the requirements or texts of records. If so, the command must also read the view
 * of the session.
 */
export const needsView = (operation: string): boolean => WITH_VIEW.has(operation);

/** Whether a view is shown with the defects and scenarios of the test board. */
export const needsBoard = ({ state: { phase } }: View): boolean => phase === 'VERIFY' || phase === 'RELEASE';

const PRINTERS = {
  view: (answer, { terminal, sessionId, board }) =>
    formatSession(answer, { terminal, nowMs: serverNow(), idOf: () => sessionId }, board),
  diff: (answer, { terminal }) => formatDiff(answer, terminal),
  changes: (answer, { terminal, sessionId, input, view }) =>
    formatChanges(answer, terminal, {
      ...placeOf(terminal, sessionId),
      isSinceGiven: input?.since !== undefined,
      view,
    }),
  brief: (answer, { terminal, sessionId, view, isAsked = false }) => [
    ...formatBrief(answer, view, terminal, { ...placeOf(terminal, sessionId), isAsked }),
    ...(isAsked ? [] : stepLines(answer, { terminal, sessionId })),
  ],
  blockers: blockerLines,
  artifact: artifactLines,
  board: (answer, { terminal }) => formatBoard(answer, terminal),
  report: reportLines,
  certificate: ({ text }) => [visibleLine(text.trimEnd())],
  plan: (answer, shown) => contractLines('plan SESSION', answer, shown),
  revision: (answer, shown) =>
    contractLines(`revision SESSION --revision-id ${visibleLine(shellWord(answer.revision_id))}`, answer, shown),
  invite: invitationLines,
  records: recordLines,
} satisfies { [N in OwnerCallName]?: (answer: Answer<N>, shown: Shown) => string[] };

const SHOW: Readonly<Record<string, ((answer: never, shown: Shown) => string[]) | undefined>> = PRINTERS;

const placeOf = ({ program }: Terminal, sessionId: string): ReadingPlace => ({ program, sessionId });

/** Maximum number of the owner's tasks that are named below an approved contract. */
const NAMED_TASKS = 3;

function blockerLines(answer: Answer<'blockers'>, { terminal, sessionId, view }: Shown): string[] {
  const commandOf = (operation: string, payload: Json): string =>
    settlingLine(terminal.program, {
      operation,
      sessionId,
      payload,
      seen: seenIn(answer),
      isScript: isScriptAt(terminal),
    });
  const nameOf = namesIn(view);
  const steps = view ? nextSteps(actingIn(view), nameOf, NAMED_TASKS) : [];
  const next = steps.map((step) => `Next: ${stepText(step, nameOf)}`);
  return formatBlockers(answer, { commandOf, nameOf, next }, terminal);
}

/** A report as it is or, if no format was given, as a text for reading. */
function reportLines({ text }: Answer<'report'>, { terminal, input }: Shown): string[] {
  const shown = visible(text.replace(/\n$/, ''));
  return input?.format === undefined ? terminalMarkdown(shown, terminal) : shown.split('\n');
}

/** Formats the metadata of an artifact, then its content. Control characters in the content become visible. */
function artifactLines({ content, ...facts }: Answer<'artifact'>, { terminal }: Shown): string[] {
  return [...outlineLines(withTimes(facts), terminal), '', ...content.replace(/\n$/, '').split('\n').map(visible)];
}

function recordLines(answer: Answer<'records'>, { terminal }: Shown): string[] {
  if (answer.records.length === 0) return ['There is no record of this type to list.'];
  return outlineLines(withTimes({ ...answer, records: answer.records.map(forOwner) }), terminal);
}

/** The text to paste to an invited agent. */
export const invitationPrompt = ({ code, role, base_url }: Answer<'invite'>, own: string): string =>
  agentPrompt({ code, role, url: addressByServer(base_url, own) ?? own });

/**
 * The code and what to do with it. The scopes or permissions are left out: they are those that the owner gave, or all.
 *
 * @param view the session before the invitation
 */
function invitationLines(answer: Answer<'invite'>, { terminal, url: own, view }: Shown): string[] {
  const { code, role, expires_at, base_url } = answer;
  const byServer = addressByServer(base_url, own);
  const url = byServer ?? own;
  const name = namesIn(view)(role);
  const token = view?.access.find((one) => one.role === role)?.token;
  const hasToken = token?.revoked === false && Date.parse(token.expires_at) > serverNow();
  const earlier = view?.access.find((one) => one.role === role)?.invitation?.expires_at;
  const facts = [
    `The code works once, until ${timeText(expires_at)}.`,
    ...(earlier && Date.parse(earlier) > serverNow() ? ['The earlier code no longer works.'] : []),
    ...(hasToken ? [`The token that ${name} has works until the new code is redeemed.`] : []),
    ...(byServer === undefined
      ? []
      : [
          `The address ${byServer} is what the server says. You reach the server at another one: pass it on only if you know it.`,
        ]),
  ];
  const program = wordsToJoin(url, ownWords(terminal));
  const install = installLine(program);
  return [
    `code for ${visible(name)}: ${code}`,
    ...wrapText(visibleLine(facts.join(' ')), terminal.columns),
    '',
    'Pass this link on to whoever runs the agent. It opens a page with all that follows, without signing in:',
    '',
    `  ${joinAddress({ code, role, url })}`,
    '',
    ...(install === undefined ? [] : ['Once, on a machine without the command parley:', '', `  ${install}`, '']),
    'Or do it yourself. In the repository of the agent, run the line of its client:',
    '',
    ...joinLines({ url, program }).flatMap(({ client, line }) => [`  ${client}:`, `    ${line}`]),
    '',
    'Then paste this text to the agent. An agent that can send HTTP needs nothing else:',
    '',
    ...invitationPrompt(answer, own)
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}
