import { presenceText } from '../../text/agent.ts';
import { ageText, agoText } from '../../text/ago.ts';
import { absentRoles, firstStepSince, waitsToSettle } from '../../text/inbox.ts';
import { nextSteps, nobodyText, stepText } from '../../text/next-steps.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { summaryOfView } from '../client/summary.ts';
import type { Terminal } from '../terminal.ts';
import { agentIn, isLocked, type NameOf, namesIn } from './agent-names.ts';
import { requirementLines } from './contract/format-contract.ts';
import { approvalTexts } from './format-approvals.ts';
import { idIn, type Looking, waitsLines } from './format-waiting.ts';
import { quotedLines } from './record/section-lines.ts';
import {
  accessTable,
  blockerTable,
  decisionTable,
  findingTable,
  holdTable,
  openDefectTable,
  openTable,
  readinessTable,
  scenarioTable,
} from './session-tables.ts';

/**
 * Formats the view of a session.
 *
 * @param board the test board of the session. Without members in a phase that has none
 */
export function formatSession(view: Members, looking: Looking, board: Members = {}): string[] {
  const { terminal } = looking;
  const state = membersOf(view.state);
  const nameOf = namesIn(view);
  const lines = (text: string): string[] => wrapText(text, terminal.columns);
  const tables: readonly (readonly [string, Table])[] = [
    ['decisions', decisionTable(view, nameOf)],
    ['open questions and directives', openTable(view, nameOf)],
    ['active holds', holdTable(state)],
    ['open findings', findingTable(view, nameOf)],
    [blockersTitle(view, looking), blockerTable(state, nameOf)],
    [`scenarios (each with its evidence: ${terminal.program} board ${idIn(view, looking)})`, scenarioTable(board)],
    ['open defects', openDefectTable(board, nameOf)],
    ['readiness', readinessTable(view, nameOf)],
    ['access', accessTable(view, nameOf)],
  ];
  return [
    ...lines(visibleLine(textIn(view, 'title'))).map((line) => terminal.paint('bold', line)),
    ...lines(standingText(state)),
    ...moveTexts(view, { nameOf, nowMs: looking.nowMs }).flatMap(lines),
    ...[
      ...roleTexts(state, nameOf),
      ...contractTexts(state),
      ...approvalTexts(view),
      ...moderatorTexts(view, looking),
      ...buildTexts(view, looking),
      ...presenceTexts(view, looking),
    ].flatMap(lines),
    ...quotedLines(textIn(view, 'objective'), terminal),
    ...waitingLines(view, looking),
    ...tables.flatMap(([title, table]) => section(title, table, terminal)),
    ...missionLines(view, terminal),
  ];
}

/** The title above the blockers, with the number of all blockers, because the view contains only the first blockers. */
function blockersTitle(view: Members, looking: Looking): string {
  const blockers = membersOf(membersOf(view.state).blockers);
  const shown = recordsIn(blockers, 'first').length;
  const count = numberIn(blockers, 'count');
  return count > shown
    ? `blockers, ${shown} of ${count} (all: ${looking.terminal.program} blockers ${idIn(view, looking)})`
    : 'blockers';
}

function standingText(state: Members): string {
  const phase = textIn(state, 'phase');
  const round = `round ${numberIn(state, 'round')} of ${numberIn(state, 'round_limit')}`;
  return [textIn(state, 'status'), phase, ...(phase === 'PLANNING' ? [round] : [])].join(', ');
}

/** Maximum number of the owner's tasks that are named beside the duties. All tasks are printed further below. */
const NAMED_TASKS = 3;

/** Who must act next, what each of them has to do, and since when the first step is due. */
function moveTexts(view: Members, { nameOf, nowMs }: { readonly nameOf: NameOf; readonly nowMs: number }): string[] {
  const session = summaryOfView(view);
  const steps = nextSteps(session, nameOf, NAMED_TASKS).map((step) => visibleLine(stepText(step, nameOf)));
  if (steps.length === 0) return [`next: ${nobodyText(session.status)}`];
  const since = firstStepSince(session);
  const when = since ? `, since ${ageText(since, nowMs)}` : '';
  return steps.length === 1 ? [`next${when}: ${steps.join()}`] : [`next${when}:`, ...steps.map((step) => `  ${step}`)];
}

function roleTexts(state: Members, nameOf: NameOf): string[] {
  const author = textIn(state, 'contract_author');
  return author ? [`Contract Author: ${nameOf(author)}`] : [];
}

/** The latest revision with its hash. The owner needs the hash for an approval. */
function contractTexts(state: Members): string[] {
  const revision = membersOf(state.latest_revision);
  const id = textIn(revision, 'revision_id');
  return id ? [`contract ${id} ${textIn(revision, 'status')}, content_hash ${textIn(revision, 'content_hash')}`] : [];
}

/**
 * The status of the moderator: not allowed, stopped, or active with its permissions. Empty if there is no moderator.
 */
function moderatorTexts(view: Members, looking: Looking): string[] {
  const { active, stopped, entitled, acked_cursor: read } = membersOf(view.moderator);
  if (entitled === false) return ['moderator: not allowed (to allow moderators: parley moderator-entitlement on)'];
  if (stopped === true) return [`moderator: stopped (to restore: parley restore-moderator ${idIn(view, looking)})`];
  if (active !== true) return [];
  const permissions = textsIn(membersOf(view.moderator), 'permissions').join(', ') || 'read only';
  return [`moderator: active, may ${permissions}; has read up to event ${String(read)}`];
}

/** The progress of the build: `build: 3 of 7 tasks done, last 12 min ago`. Empty if no build is in progress. */
function buildTexts(view: Members, { nowMs }: Looking): string[] {
  const progress = membersOf(view.build_progress);
  if (typeof progress.tasks !== 'number') return [];
  const last = textIn(progress, 'last_done_at');
  const nameOf = namesIn(view);
  const sides = recordsIn(progress, 'agents').map((side) => {
    const standing =
      side.declared === true ? 'handshake declared' : `${numberIn(side, 'done')} of ${numberIn(side, 'tasks')}`;
    return `${nameOf(textIn(side, 'role'))}: ${standing}`;
  });
  const done = `build: ${numberIn(progress, 'done')} of ${progress.tasks} tasks done`;
  return [`${done}${last ? `, last ${agoText(last, nowMs)}` : ''} (${sides.join(', ')})`];
}

/** A line for each agent whose presence the service reports. The list of the owner's tasks has the absent agents. */
function presenceTexts(view: Members, { nowMs }: Looking): string[] {
  const nameOf = namesIn(view);
  const absent = absentRoles(summaryOfView(view));
  const agents = recordsIn(view, 'agents').filter((agent) => !absent.includes(textIn(agent, 'role')));
  return agents.flatMap((agent) => {
    const presence = presenceText(agentIn(agent), nowMs);
    return presence ? [`${nameOf(textIn(agent, 'role'))}: ${presence}`] : [];
  });
}

/** The owner's tasks. Absent agents are tasks without a decision, so a list of these has another title. */
function waitingLines(view: Members, looking: Looking): string[] {
  const session = summaryOfView(view);
  if (session.waits.length === 0) return [];
  const absence = isLocked(session, looking.nowMs)
    ? 'the session stops until an invited agent joins'
    : 'an agent is absent: no decision of yours is needed';
  const title = waitsToSettle(session).length > 0 ? 'waits for you' : absence;
  return ['', looking.terminal.paint(['bold', 'cyan'], title), ...waitsLines(session, looking)];
}

/** The requirements of the mission with their acceptance criteria, and its guardrails. */
function missionLines(view: Members, terminal: Terminal): string[] {
  return [...requirementLines(view, terminal), ...textSection('guardrails', textsIn(view, 'guardrails'), terminal)];
}

function textSection(title: string, texts: readonly string[], { columns, paint }: Terminal): string[] {
  if (texts.length === 0) return [];
  const lines = texts.flatMap((text) => wrapText(visibleLine(text), columns - 2).map((line) => `  ${line}`));
  return ['', paint(['bold', 'cyan'], title), ...lines];
}

function section(title: string, table: Table, { columns, paint }: Terminal): string[] {
  if (table.rows.length === 0) return [];
  return ['', paint(['bold', 'cyan'], title), ...tableLines(table, columns, paint)];
}
