import type { Table } from '../../text/table.ts';
import { timeText } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import type { NameOf } from './agent-names.ts';

export function decisionTable(view: Members, nameOf: NameOf): Table {
  const rows = recordsIn(view, 'decisions').map((decision) => [
    textIn(decision, 'decision_id'),
    textIn(decision, 'status'),
    acceptedBy(textsIn(decision, 'accepted_by'), nameOf),
    visibleLine(textIn(decision, 'topic')),
  ]);
  return { heads: ['id', 'status', 'accepted by', 'topic'], rows, flexible: 3 };
}

const acceptedBy = (roles: readonly string[], nameOf: NameOf): string =>
  roles.length > 1 ? 'both builders' : roles.map(nameOf).join('') || '-';

/** The table of open questions between agents, and of open questions and directives from the owner or the moderator. */
export function openTable(view: Members, nameOf: NameOf): Table {
  const questions = recordsIn(view, 'questions').filter(({ to, status }) => to !== 'owner' && status === 'OPEN');
  const open = recordsIn(view, 'interventions').filter(({ status }) => status === 'OPEN' || status === 'ACKNOWLEDGED');
  const rows = [
    ...questions.map((item) => [
      textIn(item, 'question_id'),
      nameOf(textIn(item, 'to')),
      textIn(item, 'status'),
      visibleLine(textIn(item, 'text')),
    ]),
    ...open.map((item) => [
      textIn(item, 'intervention_id'),
      textsIn(item, 'targets').map(nameOf).join(', '),
      textIn(item, 'status'),
      visibleLine(textIn(item, 'text')),
    ]),
  ];
  return { heads: ['id', 'to', 'status', 'text'], rows, flexible: 3 };
}

/** The table that counts the scenarios of a test board by their status, with the ids of those that have not passed. */
export function scenarioTable(board: Members): Table {
  const idsOf = new Map<string, string[]>();
  for (const scenario of recordsIn(board, 'scenarios')) {
    const status = textIn(scenario, 'status');
    idsOf.set(status, [...(idsOf.get(status) ?? []), textIn(scenario, 'scenario_id')]);
  }
  const rows = [...idsOf].map(([status, ids]) => [
    status,
    String(ids.length),
    status === 'PASSED' ? '-' : ids.join(', '),
  ]);
  return { heads: ['status', 'number', 'scenarios'], rows, flexible: 2 };
}

/** The table of the open defects of a test board. */
export function openDefectTable(board: Members, nameOf: NameOf): Table {
  const rows = recordsIn(board, 'defects')
    .filter(({ status }) => status === 'OPEN')
    .map((defect) => [
      textIn(defect, 'defect_id'),
      nameOf(textIn(defect, 'assigned_to')),
      textIn(defect, 'scenario_id'),
    ]);
  return { heads: ['id', 'assigned to', 'scenario'], rows, flexible: 2 };
}

/** The table of active holds. A hold stops the approval and every authorization. */
export function holdTable(state: Members): Table {
  const rows = recordsIn(state, 'holds').map((hold) => [
    textIn(hold, 'hold_id'),
    textIn(hold, 'finding_id'),
    visibleLine(textIn(hold, 'reason')),
  ]);
  return { heads: ['id', 'finding', 'reason'], rows, flexible: 2 };
}

/** The table of findings that are open or have a response. */
export function findingTable(view: Members, nameOf: NameOf): Table {
  const open = recordsIn(view, 'findings').filter(({ status }) => status === 'OPEN' || status === 'RESPONDED');
  const rows = open.map((finding) => [
    textIn(finding, 'finding_id'),
    textIn(finding, 'status'),
    nameOf(textIn(finding, 'raised_by')),
    finding.blocking === true ? 'blocks' : '-',
    visibleLine(textIn(finding, 'text')),
  ]);
  return { heads: ['id', 'status', 'raised by', 'blocking', 'text'], rows, flexible: 4 };
}

/** The table of the first blockers in the state of a session. */
export function blockerTable(state: Members, nameOf: NameOf): Table {
  const rows = recordsIn(membersOf(state.blockers), 'first').map((blocker) => [
    textIn(blocker, 'code'),
    textIn(membersOf(blocker.record), 'id'),
    responsibleFor(blocker, state).map(nameOf).join(', '),
  ]);
  return { heads: ['code', 'record', 'responsible'], rows, flexible: 2 };
}

/** Who must act for a blocker: while no author is elected, each builder that has nominated nobody. */
function responsibleFor(blocker: Members, state: Members): string[] {
  const nominations = recordsIn(state, 'nominations').map((one) => textIn(one, 'by'));
  const open = ['agent_a', 'agent_b'].filter((role) => !nominations.includes(role));
  return blocker.code === 'NO_CONTRACT_AUTHOR' && open.length > 0 ? open : [textIn(blocker, 'responsible')];
}

/**
 * The table of the readiness reports, with the blockers and the free-text answers of each report. Empty outside the
 * phase READINESS.
 */
export function readinessTable(view: Members, nameOf: NameOf): Table {
  const { phase } = membersOf(view.state);
  const reports = phase === 'READINESS' ? recordsIn(view, 'readiness') : [];
  const rows = reports.flatMap((report) =>
    [
      ...textsIn(report, 'blockers').map((blocker) => ['blocker', blocker]),
      ...recordsIn(report, 'answers')
        .filter(({ kind }) => kind === 'free')
        .map((answer) => [aboutAnswer(answer), `${textIn(answer, 'text')} → ${textIn(answer, 'answer')}`]),
    ].map((said) => [nameOf(textIn(report, 'by')), textIn(report, 'verdict'), ...said]),
  );
  return { heads: ['agent', 'verdict', 'about', 'said'], rows, flexible: 3 };
}

/** The id of a question, and whether the other builder has confirmed or disputed the answer. */
function aboutAnswer(answer: Members): string {
  const finding = textIn(answer, 'finding_id');
  const check = finding ? `disputed by ${finding}` : textIn(answer, 'check').toLowerCase();
  return [textIn(answer, 'question_id'), check].filter(Boolean).join(' ');
}

/** The table of the agents' tokens and of the invitation codes that are not redeemed yet. */
export function accessTable(view: Members, nameOf: NameOf): Table {
  const rows = recordsIn(view, 'access').flatMap((access) => {
    const token = membersOf(access.token);
    const invitation = membersOf(access.invitation);
    const name = nameOf(textIn(access, 'role'));
    const held = textIn(token, 'token_prefix');
    const asked = textIn(invitation, 'code_prefix');
    const standing = token.revoked === true ? 'revoked' : `until ${timeText(token.expires_at)}`;
    const client = visibleLine(textIn(token, 'client_type')) || '-';
    const unused = `not redeemed yet, until ${timeText(invitation.expires_at)}`;
    return [...(held ? [[name, held, standing, client]] : []), ...(asked ? [[name, asked, unused, '-']] : [])];
  });
  return { heads: ['role', 'token or code', 'status', 'client'], rows, flexible: 3 };
}
