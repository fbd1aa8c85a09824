import type { Answer } from '@parley/core/client';
import { serverNow } from '../../text/ago.ts';
import { nextSteps, stepText } from '../../text/next-steps.ts';
import { outlineLines } from '../../text/outline.ts';
import { shellWord } from '../../text/shell-word.ts';
import { agentPrompt } from '../../text/tell-agent.ts';
import { timeText, withTimes } from '../../text/time.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, recordsIn, textIn } from '../../transcript/message.ts';
import { addressByServer } from '../client/agent-server.ts';
import type { Json } from '../client/request.ts';
import { summaryOfView } from '../client/summary.ts';
import { CLIENT_NAMES } from '../client-names.ts';
import { settlingLine } from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { namesIn, seenIn } from './agent-names.ts';
import { type ContractPart, contractLines } from './contract/contract-answer.ts';
import type { ReadingPlace } from './contract/mark-read.ts';
import type { CheckHelp } from './contract/requests.ts';
import type { ReadMarks } from './contract/section-marks.ts';
import { terminalMarkdown } from './contract/terminal-markdown.ts';
import { forOwner } from './for-owner.ts';
import { formatBlockers } from './format-blockers.ts';
import { formatBoard } from './format-board.ts';
import { formatBrief } from './format-brief.ts';
import { formatChanges } from './format-changes.ts';
import { formatDiff } from './format-diff.ts';
import { formatSession } from './format-session.ts';
import { stepLines } from './next-step.ts';
import { programLine } from './program-line.ts';

export interface Shown {
  readonly terminal: Terminal;
  readonly url: string;
  /** The id of the session in printed commands: the whole id or a prefix. */
  readonly sessionId: string;
  /**
   * The view of the session, which contains the names of the agents and the requirements. Absent if `needsView` is
   * false for the operation.
   */
  readonly view?: Json;
  /** The test board of the session. Absent if `needsBoard` is false for the operation and the view. */
  readonly board?: Json;
  /** The input of the operation. Absent for an operation that another command calls. */
  readonly input?: Json;
  /** The part of a contract that is shown. Default: the whole contract. */
  readonly part?: ContractPart | undefined;
  /** What the owner has read of the latest revision. Absent if another revision is shown. */
  readonly marks?: ReadMarks | undefined;
  /** What helps to check the requests that no reason of a revision names. */
  readonly help?: CheckHelp | undefined;
  /** Whether a prompt follows the answer. */
  readonly isAsked?: boolean;
}

/**
 * Formats the answer of an operation. If `VIEWS` does not contain the operation, the answer is formatted as an outline.
 */
export function showAnswer(operation: string, { left_out, ...answer }: Json, shown: Shown): string[] {
  const view = VIEWS.get(operation) ?? ((value, { terminal }) => outlineLines(withTimes(value), terminal));
  return [...view(answer, shown), ...leftOutLines(membersOf(left_out), shown.terminal)];
}

/** How many records the answer left out because of its size, and how to read them. */
const leftOutLines = ({ count, how }: Members, { paint }: Terminal): string[] =>
  typeof count === 'number' ? ['', paint('dim', `Records left out: ${count}. ${String(how)}`)] : [];

const WITH_VIEW: ReadonlySet<string> = new Set(['blockers', 'brief', 'changes', 'invite', 'plan', 'revision']);

/**
 * Whether the text of an answer shows names of agents, the requirements or texts of records. If so, the command must also read the view
 * of the session.
 */
export const needsView = (operation: string): boolean => WITH_VIEW.has(operation);

/** Whether the text of an answer also shows the defects and scenarios of the test board. */
export const needsBoard = (operation: string, answer: Json): boolean =>
  operation === 'view' && ['VERIFY', 'RELEASE'].includes(textIn(membersOf(answer.state), 'phase'));

type View = (answer: Json, shown: Shown) => string[];

const VIEWS: ReadonlyMap<string, View> = new Map<string, View>([
  [
    'view',
    (answer, { terminal, sessionId, board }) =>
      formatSession(answer, { terminal, nowMs: serverNow(), idOf: () => sessionId }, board),
  ],
  ['diff', (answer, { terminal }) => formatDiff(answer, terminal)],
  [
    'changes',
    (answer, { terminal, sessionId, input, view }) =>
      formatChanges(answer, terminal, {
        ...placeOf(terminal, sessionId),
        isSinceGiven: input?.since !== undefined,
        view: view as unknown as Answer<'view'> | undefined,
      }),
  ],
  [
    'brief',
    (answer, { terminal, sessionId, view = {}, isAsked = false, help }) => [
      ...formatBrief(answer, view, terminal, { ...placeOf(terminal, sessionId), isAsked, help }),
      ...(isAsked ? [] : stepLines(answer, placeOf(terminal, sessionId))),
    ],
  ],
  ['blockers', blockerLines],
  ['artifact', artifactLines],
  ['board', (answer, { terminal }) => formatBoard(answer, terminal)],
  ['report', reportLines],
  ['plan', (answer, shown) => contractLines('plan SESSION', answer, shown)],
  [
    'revision',
    (answer, shown) =>
      contractLines(
        `revision SESSION --revision-id ${visibleLine(shellWord(String(answer.revision_id)))}`,
        answer,
        shown,
      ),
  ],
  ['invite', invitationLines],
  ['records', recordLines],
]);

const placeOf = ({ program }: Terminal, sessionId: string): ReadingPlace => ({ program, sessionId });

/** Maximum number of the owner's tasks that are named below an approved contract. */
const NAMED_TASKS = 3;

function blockerLines(answer: Json, { terminal, sessionId, view = {} }: Shown): string[] {
  const commandOf = (operation: string, payload: Json): string =>
    settlingLine(terminal.program, { operation, sessionId, payload, seen: seenIn(answer) });
  const nameOf = namesIn(view);
  const next = nextSteps(summaryOfView(view), nameOf, NAMED_TASKS).map((step) => `Next: ${stepText(step, nameOf)}`);
  return formatBlockers(answer, { commandOf, nameOf, next }, terminal);
}

/** A report as it is or, if no format was given, as a text for reading. */
function reportLines({ text }: Json, { terminal, input }: Shown): string[] {
  const shown = visible(String(text).replace(/\n$/, ''));
  return input?.format === undefined ? terminalMarkdown(shown, terminal) : shown.split('\n');
}

/** Formats the metadata of an artifact, then its content. Control characters in the content become visible. */
function artifactLines({ content, ...facts }: Json, { terminal }: Shown): string[] {
  return [
    ...outlineLines(withTimes(facts), terminal),
    '',
    ...String(content).replace(/\n$/, '').split('\n').map(visible),
  ];
}

function recordLines(answer: Json, { terminal }: Shown): string[] {
  const records = recordsIn(answer, 'records');
  if (records.length === 0) return ['There is no record of this type to list.'];
  return outlineLines(withTimes({ ...answer, records: records.map(forOwner) }), terminal);
}

/**
 * The code and what to do with it. The scopes or permissions are left out: they are those that the owner gave, or all.
 *
 * @param view the session after the invitation
 */
function invitationLines(
  { code, role, expires_at, base_url }: Json,
  { terminal, url: own, view = {} }: Shown,
): string[] {
  const byServer = addressByServer(base_url, own);
  const url = byServer ?? own;
  const name = namesIn(view)(String(role));
  const access = recordsIn(view, 'access').find((one) => one.role === role) ?? {};
  const token = membersOf(access.token);
  const client = CLIENT_NAMES.find((name) => name === token.client_type) ?? 'claude-code';
  const hasToken = token.revoked === false && Date.parse(String(token.expires_at)) > serverNow();
  const facts = [
    `The code works once, until ${timeText(expires_at)}. An earlier code no longer works.`,
    ...(hasToken ? [`The token that ${name} has works until the new code is redeemed.`] : []),
    ...(byServer === undefined
      ? []
      : [
          `The address ${byServer} is what the server says. You reach the server at another one: pass it on only if you know it.`,
        ]),
  ];
  return [
    `code for ${visible(name)}: ${String(code)}`,
    ...wrapText(visibleLine(facts.join(' ')), terminal.columns),
    '',
    'Paste this text to the agent. The agent needs nothing else:',
    '',
    ...agentPrompt({ code: String(code), role: String(role), url })
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'Or connect a client yourself, in the repository of the agent. The command asks for the code:',
    '',
    `  ${programLine(terminal)} connect --for ${client} --url ${url}`,
    '',
    'On another machine, replace the path in this command with the path of a Parley clone there.',
  ];
}
