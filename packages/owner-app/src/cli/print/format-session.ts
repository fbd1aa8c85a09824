import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { shortTime, visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';

/** Formats the view of a session for one screen; `--json` has all members. */
export function formatSession(view: Members, page: Page): string[] {
  const state = membersOf(view.state);
  return [
    page.paint('bold', visibleLine(textIn(view, 'title'))),
    standingLine(state, view),
    ...contractLine(state),
    ...moderatorLine(view),
    ...instructionLine(state),
    ...wrapText(visible(textIn(view, 'objective')), page.columns),
    ...section('waits for you', dueTable(view), page),
    ...section('decisions', decisionTable(view), page),
    ...section('open questions and directives', openTable(view), page),
    ...section('active holds', holdTable(state), page),
    ...section('open findings', findingTable(view), page),
    ...section('blockers', blockerTable(membersOf(state.blockers)), page),
    ...section('readiness', readinessTable(view, textIn(state, 'phase')), page),
    ...section('access', accessTable(view), page),
  ];
}

function standingLine(state: Members, view: Members): string {
  const next = textIn(state, 'next_agent');
  const author = textIn(state, 'contract_author');
  const facts = [
    textIn(state, 'status'),
    textIn(state, 'phase'),
    `round ${numberIn(state, 'round')} of ${numberIn(state, 'round_limit')}`,
    next ? `next turn: ${nameIn(view, next)}` : 'no turn is open',
    author ? `Contract Author: ${nameIn(view, author)}` : '',
  ];
  return facts.filter(Boolean).join(', ');
}

/** The line with the latest revision and the hash that an approval names. */
function contractLine(state: Members): string[] {
  const revision = membersOf(state.latest_revision);
  const id = textIn(revision, 'revision_id');
  return id ? [`contract ${id} ${textIn(revision, 'status')}, content_hash ${textIn(revision, 'content_hash')}`] : [];
}

/**
 * The line about the moderator: that none may take part, that it was stopped, or what it may do. No line if there is no
 * moderator.
 */
function moderatorLine(view: Members): string[] {
  const { active, stopped, entitled, acked_cursor: read } = membersOf(view.moderator);
  if (entitled === false) return ['moderator: none may take part (parley moderator-entitlement on)'];
  if (stopped === true) return ['moderator: stopped (parley restore-moderator)'];
  if (active !== true) return [];
  const permissions = textsIn(membersOf(view.moderator), 'permissions').join(', ') || 'read only';
  return [`moderator: active, may ${permissions}; has read up to event ${String(read)}`];
}

function instructionLine(state: Members): string[] {
  const text = textIn(membersOf(state.instruction), 'text');
  return text ? [visible(text)] : [];
}

const nameIn = (view: Members, role: string): string => {
  const agent = recordsIn(view, 'agents').find((candidate) => candidate.role === role);
  return visibleLine(textIn(agent ?? {}, 'name') || role);
};

function section(title: string, table: Table, { columns, paint }: Page): string[] {
  if (table.rows.length === 0) return [];
  return ['', paint(['bold', 'cyan'], title), ...tableLines(table, columns, paint)];
}

function dueTable(view: Members): Table {
  const due = recordsIn(view, 'questions').filter(({ to, status }) => to === 'owner' && status === 'OPEN');
  const advice = recordsIn(view, 'recommendations').filter(({ answer }) => answer === null);
  const rows = [
    ...due.map((item) => [
      textIn(item, 'question_id'),
      nameIn(view, textIn(item, 'from')),
      visibleLine(textIn(item, 'text')),
    ]),
    ...advice.map((item) => [
      textIn(item, 'recommendation_id'),
      'moderator',
      visibleLine(`${textIn(item, 'recommendation')}: ${textIn(item, 'text')}`),
    ]),
  ];
  return { heads: ['id', 'from', 'text'], rows, flexible: 2 };
}

function decisionTable(view: Members): Table {
  const rows = recordsIn(view, 'decisions').map((decision) => [
    textIn(decision, 'decision_id'),
    textIn(decision, 'status'),
    textsIn(decision, 'accepted_by').join(', ') || '-',
    visibleLine(textIn(decision, 'topic')),
  ]);
  return { heads: ['id', 'status', 'accepted by', 'topic'], rows, flexible: 3 };
}

function openTable(view: Members): Table {
  const questions = recordsIn(view, 'questions').filter(({ to, status }) => to !== 'owner' && status === 'OPEN');
  const open = recordsIn(view, 'interventions').filter(({ status }) => status === 'OPEN' || status === 'ACKNOWLEDGED');
  const rows = [
    ...questions.map((item) => [
      textIn(item, 'question_id'),
      textIn(item, 'to'),
      textIn(item, 'status'),
      visibleLine(textIn(item, 'text')),
    ]),
    ...open.map((item) => [
      textIn(item, 'intervention_id'),
      textsIn(item, 'targets').join(', '),
      textIn(item, 'status'),
      visibleLine(textIn(item, 'text')),
    ]),
  ];
  return { heads: ['id', 'to', 'status', 'text'], rows, flexible: 3 };
}

/** The table of active holds. They stop the approval and every authorization. */
function holdTable(state: Members): Table {
  const rows = recordsIn(state, 'holds').map((hold) => [
    textIn(hold, 'hold_id'),
    textIn(hold, 'finding_id'),
    visibleLine(textIn(hold, 'reason')),
  ]);
  return { heads: ['id', 'finding', 'reason'], rows, flexible: 2 };
}

function findingTable(view: Members): Table {
  const open = recordsIn(view, 'findings').filter(({ status }) => status === 'OPEN' || status === 'RESPONDED');
  const rows = open.map((finding) => [
    textIn(finding, 'finding_id'),
    textIn(finding, 'status'),
    textIn(finding, 'raised_by'),
    finding.blocking === true ? 'blocks' : '-',
    visibleLine(textIn(finding, 'text')),
  ]);
  return { heads: ['id', 'status', 'raised by', 'blocking', 'text'], rows, flexible: 4 };
}

function blockerTable(blockers: Members): Table {
  const rows = recordsIn(blockers, 'first').map((blocker) => [
    textIn(blocker, 'code'),
    textIn(blocker, 'responsible'),
    visibleLine(textIn(blocker, 'message')),
  ]);
  return { heads: ['code', 'responsible', 'what'], rows, flexible: 2 };
}

/** The readiness reports, in the phase READINESS. The transcript has the exact answers of earlier manifests too. */
function readinessTable(view: Members, phase: string): Table {
  const reports = phase === 'READINESS' ? recordsIn(view, 'readiness') : [];
  const rows = reports.flatMap((report) =>
    [
      ...textsIn(report, 'blockers').map((blocker) => ['blocker', blocker]),
      ...recordsIn(report, 'answers')
        .filter(({ kind }) => kind === 'free')
        .map((answer) => [aboutAnswer(answer), textIn(answer, 'answer')]),
    ].map((said) => [textIn(report, 'by'), textIn(report, 'verdict'), ...said]),
  );
  return { heads: ['agent', 'verdict', 'about', 'said'], rows, flexible: 3 };
}

/** The question, and whether the other builder has confirmed or disputed the answer. */
function aboutAnswer(answer: Members): string {
  const finding = textIn(answer, 'finding_id');
  const check = finding ? `disputed by ${finding}` : textIn(answer, 'check').toLowerCase();
  return [textIn(answer, 'question_id'), check].filter(Boolean).join(' ');
}

function accessTable(view: Members): Table {
  const rows = recordsIn(view, 'access').flatMap((access) => {
    const token = membersOf(access.token);
    const invitation = membersOf(access.invitation);
    const held = textIn(token, 'token_prefix');
    const asked = textIn(invitation, 'code_prefix');
    if (!held && !asked) return [];
    const standing =
      token.revoked === true ? 'revoked' : held ? `until ${shortTime(token.expires_at)}` : 'not redeemed yet';
    return [[textIn(access, 'role'), held || asked, standing, visibleLine(textIn(token, 'client_type')) || '-']];
  });
  return { heads: ['role', 'token or code', 'status', 'client'], rows, flexible: 3 };
}
