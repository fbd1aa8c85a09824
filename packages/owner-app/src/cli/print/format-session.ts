import type { Answer } from '@parley/core/client';
import { timeText } from '@parley/core/text';
import { presenceText } from '../../text/agent.ts';
import {
  absentRoles,
  firstStepSince,
  needsInvitation,
  nextSteps,
  nobodyText,
  stepText,
  waitsToSettle,
} from '../../text/inbox.ts';
import { type Table, wrapText } from '../../text/table.ts';
import { ageText, agoText } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { block, listBlock, quotedLines, tableBlock } from './answer.ts';
import { requirementLines } from './contract/format-contract.ts';
import { idIn, type Looking, waitsLines } from './format-waiting.ts';
import { approvalTexts, type NameOf, namesIn } from './names.ts';

type View = Answer<'view'>;
type Board = Answer<'board'>;

/**
 * Formats the view of a session.
 *
 * @param board the test board of the session. Undefined in a phase that has none
 */
export function formatSession(view: View, looking: Looking, board?: Board): string[] {
  const { terminal } = looking;
  const { program, columns } = terminal;
  const nameOf = namesIn(view);
  const lines = (text: string): string[] => wrapText(text, columns);
  const tables: readonly (readonly [string, Table])[] = [
    ['decisions', decisionTable(view, nameOf)],
    ['open questions and directives', openTable(view, nameOf)],
    ['active holds', holdTable(view)],
    ['open findings', findingTable(view, nameOf)],
    [blockersTitle(view, looking), blockerTable(view, nameOf)],
    ...(board ? boardTables(board, `${program} board ${idIn(view, looking)}`, nameOf) : []),
    ['readiness', readinessTable(view, nameOf)],
    ['agenda', agendaTable(view)],
    ['access', accessTable(view, nameOf)],
  ];
  return [
    ...lines(visibleLine(view.title)).map((line) => terminal.paint('bold', line)),
    ...lines(standingText(view)),
    ...moveTexts(view, nameOf, looking).flatMap(lines),
    ...[
      ...roleTexts(view, nameOf),
      ...contractTexts(view),
      ...approvalTexts(view.approvals),
      ...moderatorTexts(view, looking),
      ...buildTexts(view, nameOf, looking),
      ...presenceTexts(view, nameOf, looking),
    ].flatMap(lines),
    ...quotedLines(view.objective, terminal),
    ...waitingLines(view, looking),
    ...tables.flatMap(([title, table]) => tableBlock(title, table, terminal)),
    ...requirementLines(view, terminal),
    ...listBlock('guardrails', view.guardrails, terminal),
  ];
}

/** The title above the blockers, with the number of all blockers, because the view contains only the first blockers. */
function blockersTitle(view: View, looking: Looking): string {
  const { count, first = [] } = view.state.blockers;
  return count > first.length
    ? `blockers, ${first.length} of ${count} (all: ${looking.terminal.program} blockers ${idIn(view, looking)})`
    : 'blockers';
}

const standingText = ({ profile, state: { status, phase, round, round_limit } }: View): string =>
  [
    status,
    phase,
    ...(profile === 'light' ? ['profile light'] : []),
    ...(phase === 'PLANNING' ? [`round ${round} of ${round_limit}`] : []),
  ].join(', ');

/** The members of a view that a session in a list has too. `left_out` of a view counts records of all lists, so it is removed. */
const sessionOf = (view: View) => ({ ...view, status: view.state.status, left_out: undefined });

/** Maximum number of the owner's tasks that are named beside the duties. All tasks are printed further below. */
const NAMED_TASKS = 3;

/** Who must act next, what each of them has to do, and since when the first step is due. */
function moveTexts(view: View, nameOf: NameOf, { nowMs }: Looking): string[] {
  const session = sessionOf(view);
  const steps = nextSteps(session, nameOf, NAMED_TASKS).map((step) => visibleLine(stepText(step, nameOf)));
  if (steps.length === 0) return [`next: ${nobodyText(session.status)}`];
  const since = firstStepSince(session);
  const when = since ? `, since ${ageText(since, nowMs)}` : '';
  return steps.length === 1 ? [`next${when}: ${steps.join()}`] : [`next${when}:`, ...steps.map((step) => `  ${step}`)];
}

const roleTexts = ({ state: { contract_author } }: View, nameOf: NameOf): string[] =>
  contract_author ? [`Contract Author: ${nameOf(contract_author)}`] : [];

/** The latest revision with its hash. The owner needs the hash for an approval. */
const contractTexts = ({ state: { latest_revision: latest } }: View): string[] =>
  latest ? [`contract ${latest.revision_id} ${latest.status}, content_hash ${latest.content_hash}`] : [];

/**
 * The status of the moderator: not allowed, stopped, or active with its permissions. Empty if there is no moderator.
 */
function moderatorTexts(view: View, looking: Looking): string[] {
  const { active, stopped, entitled, permissions, acked_cursor: read } = view.moderator;
  if (!entitled) return ['moderator: not allowed (to allow moderators: parley moderator-entitlement on)'];
  if (stopped) return [`moderator: stopped (to restore: parley restore-moderator ${idIn(view, looking)})`];
  if (!active) return [];
  return [`moderator: active, may ${permissions.join(', ') || 'read only'}; has read up to event ${read}`];
}

/** The progress of the build: `build: 3 of 7 tasks done, last 12 min ago`. Empty if no build is in progress. */
function buildTexts({ build_progress: progress }: View, nameOf: NameOf, { nowMs }: Looking): string[] {
  if (!progress) return [];
  const { done, tasks, last_done_at: last, agents } = progress;
  const sides = agents.map(
    (side) => `${nameOf(side.role)}: ${side.declared ? 'handshake declared' : `${side.done} of ${side.tasks}`}`,
  );
  return [`build: ${done} of ${tasks} tasks done${last ? `, last ${agoText(last, nowMs)}` : ''} (${sides.join(', ')})`];
}

/** A line for each agent whose presence the service reports. The list of the owner's tasks has the absent agents. */
function presenceTexts(view: View, nameOf: NameOf, { nowMs }: Looking): string[] {
  const absent = absentRoles(view);
  return view.agents.flatMap((agent) => {
    const presence = absent.includes(agent.role) ? '' : presenceText(agent, nowMs);
    return presence ? [`${nameOf(agent.role)}: ${presence}`] : [];
  });
}

/** The owner's tasks. Absent agents are tasks without a decision, so a list of these has another title. */
function waitingLines(view: View, looking: Looking): string[] {
  if (view.waits.length === 0) return [];
  const absence = needsInvitation(view, looking.nowMs)
    ? 'the session stops until an invited agent joins'
    : 'an agent is absent: no decision of yours is needed';
  const title = waitsToSettle(view).length > 0 ? 'waits for you' : absence;
  return block(title, waitsLines(sessionOf(view), looking), looking.terminal);
}

const agendaTable = ({ agenda, agenda_open: open }: View): Table => ({
  heads: ['agenda', 'status', 'what'],
  rows: [
    ...(agenda?.topics ?? []).map(({ topic, question }) => [
      topic,
      open?.topics.includes(topic) ? 'not decided' : 'decided',
      question,
    ]),
    ...(agenda?.scenarios ?? []).map(({ id, title }) => [
      id,
      open?.scenarios.includes(id) ? 'not in the contract' : 'in the contract',
      title,
    ]),
  ],
});

const decisionTable = ({ decisions }: View, nameOf: NameOf): Table => ({
  heads: ['id', 'status', 'accepted by', 'topic'],
  rows: decisions.map(({ decision_id, status, accepted_by, topic }) => [
    decision_id,
    status,
    accepted_by.length > 1 ? 'both builders' : accepted_by.map(nameOf).join('') || '-',
    topic,
  ]),
});

/** The table of open questions between agents, and of open questions and directives from the owner or the moderator. */
const openTable = ({ questions, interventions }: View, nameOf: NameOf): Table => ({
  heads: ['id', 'to', 'status', 'text'],
  rows: [
    ...questions
      .filter(({ to, status }) => to !== 'owner' && status === 'OPEN')
      .map(({ question_id, to, status, text }) => [question_id, nameOf(to), status, text]),
    ...interventions
      .filter(({ status }) => status === 'OPEN' || status === 'ACKNOWLEDGED')
      .map(({ intervention_id, targets, status, text }) => [
        intervention_id,
        targets.map(nameOf).join(', '),
        status,
        text ?? '',
      ]),
  ],
});

/** The table that counts the scenarios by their status, with their evidence on the board, and the table of open defects. */
function boardTables({ scenarios, defects }: Board, boardCommand: string, nameOf: NameOf): [string, Table][] {
  const statuses = [...new Set(scenarios.map(({ status }) => status))];
  const counts = statuses.map((status) => {
    const ids = scenarios.filter((scenario) => scenario.status === status).map(({ scenario_id }) => scenario_id);
    return [status, String(ids.length), status === 'PASSED' ? '-' : ids.join(', ')];
  });
  const open = defects
    .filter(({ status }) => status === 'OPEN')
    .map(({ defect_id, assigned_to, scenario_id }) => [defect_id, nameOf(assigned_to), scenario_id]);
  return [
    [`scenarios (each with its evidence: ${boardCommand})`, { heads: ['status', 'number', 'scenarios'], rows: counts }],
    ['open defects', { heads: ['id', 'assigned to', 'scenario'], rows: open }],
  ];
}

/** The table of active holds. A hold stops the approval and every authorization. */
const holdTable = ({ state: { holds } }: View): Table => ({
  heads: ['id', 'finding', 'reason'],
  rows: holds.map(({ hold_id, finding_id, reason }) => [hold_id, finding_id, reason]),
});

/** The table of findings that are open or have a response. */
const findingTable = ({ findings }: View, nameOf: NameOf): Table => ({
  heads: ['id', 'status', 'raised by', 'blocking', 'text'],
  rows: findings
    .filter(({ status }) => status === 'OPEN' || status === 'RESPONDED')
    .map(({ finding_id, status, raised_by, blocking, text }) => [
      finding_id,
      status,
      nameOf(raised_by),
      blocking ? 'blocks' : '-',
      text ?? '',
    ]),
});

/** The table of the first blockers in the state of a session. While no author is elected, each builder without a nomination acts. */
function blockerTable({ state: { blockers, nominations } }: View, nameOf: NameOf): Table {
  const open = (['agent_a', 'agent_b'] as const).filter((role) => nominations.every(({ by }) => by !== role));
  const rows = (blockers.first ?? []).map(({ code, record, responsible }) => [
    code,
    record.id,
    (code === 'NO_CONTRACT_AUTHOR' && open.length > 0 ? open : [responsible]).map(nameOf).join(', '),
  ]);
  return { heads: ['code', 'record', 'responsible'], rows };
}

/**
 * The table of the readiness reports, with the blockers and the free-text answers of each report. Empty outside the
 * phase READINESS.
 */
function readinessTable({ state: { phase }, readiness }: View, nameOf: NameOf): Table {
  const reports = phase === 'READINESS' ? readiness : [];
  const rows = reports.flatMap(({ by, verdict, blockers, answers }) =>
    [
      ...blockers.map((blocker) => ['blocker', blocker]),
      ...answers
        .filter(({ kind }) => kind === 'free')
        .map(({ question_id, finding_id, check, text, answer }) => [
          `${question_id} ${finding_id ? `disputed by ${finding_id}` : check.toLowerCase()}`,
          `${text} → ${answer}`,
        ]),
    ].map((said) => [nameOf(by), verdict, ...said]),
  );
  return { heads: ['agent', 'verdict', 'about', 'said'], rows };
}

/** The table of the agents' tokens and of the invitation codes that are not redeemed yet. */
const accessTable = ({ access }: View, nameOf: NameOf): Table => ({
  heads: ['role', 'token or code', 'status', 'client'],
  rows: access.flatMap(({ role, token, invitation }) => [
    ...(token
      ? [
          [
            nameOf(role),
            token.token_prefix,
            token.revoked ? 'revoked' : `until ${timeText(token.expires_at)}`,
            visibleLine(token.client_type ?? '') || '-',
          ],
        ]
      : []),
    ...(invitation
      ? [[nameOf(role), invitation.code_prefix, `not redeemed yet, until ${timeText(invitation.expires_at)}`, '-']]
      : []),
  ]),
});
