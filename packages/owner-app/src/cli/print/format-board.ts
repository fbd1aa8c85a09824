import { namedText } from '../../text/agent.ts';
import { serverNow } from '../../text/ago.ts';
import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { sinceText } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { type NameOf, namesIn } from './agent-names.ts';
import { approvalTexts } from './format-approvals.ts';
import { carriedText, evidenceLines, refusalText } from './format-evidence.ts';

/**
 * Formats the test board.
 *
 * @param now milliseconds since 1970, from which the ages of obligations are computed
 */
export function formatBoard(board: Members, page: Page, now = serverNow()): string[] {
  const certification = membersOf(board.certification);
  return [
    ...section('handshakes', handshakeTable(board), page),
    ...section('addresses', addressTable(board), page),
    ...section('commits', commitTable(board), page),
    ...section('scenarios', scenarioTable(board), page),
    ...section('who owes what', owesTable(board, now), page),
    ...recordsIn(board, 'scenarios').flatMap((scenario) => evidenceLines(scenario, namesIn(board), page)),
    ...section('changed paths, as declared', changeTable(board), page),
    ...section('passes carried over', carriedTable(board), page),
    ...section('deviations', deviationTable(board), page),
    ...section('defects', defectTable(board), page),
    ...section('checks', checkTable(certification, namesIn(board)), page),
    ...approvalLines(board, page),
    '',
    certification.certified === true
      ? page.paint(['green', 'bold'], '✔ certified: every check passes')
      : page.paint(['yellow', 'bold'], 'not certified yet'),
  ];
}

function approvalLines(board: Members, { columns, paint }: Page): string[] {
  const lines = approvalTexts(board).flatMap((text) => wrapText(text, columns));
  return lines.length === 0 ? [] : ['', paint(['bold', 'cyan'], 'approvals'), ...lines];
}

function section(title: string, table: Table, { columns, paint }: Page): string[] {
  if (table.rows.length === 0) return [];
  const rows = table.rows.map((row) => row.map(visibleLine));
  return ['', paint(['bold', 'cyan'], title), ...tableLines({ ...table, rows }, columns, paint)];
}

function handshakeTable(board: Members): Table {
  const handshakes = membersOf(board.handshakes);
  const nameOf = namesIn(board);
  const rows = ['agent_a', 'agent_b'].flatMap((role) => {
    const handshake = membersOf(handshakes[role]);
    if (!textIn(handshake, 'commit')) return [];
    const isReady = handshake.ready === true && handshake.dependencies_healthy === true;
    const words = ['service', 'version', 'environment', 'fixture_version'].map((member) =>
      visibleLine(textIn(handshake, member)),
    );
    return [[nameOf(role), textIn(handshake, 'commit'), isReady ? 'ready' : 'not ready', ...words]];
  });
  return { heads: ['agent', 'commit', 'state', 'service', 'version', 'in', 'fixtures'], rows, flexible: 6 };
}

function addressTable(board: Members): Table {
  const handshakes = membersOf(board.handshakes);
  const rows = ['agent_a', 'agent_b'].flatMap((role) => {
    const address = textIn(membersOf(handshakes[role]), 'address');
    return address ? [[namesIn(board)(role), address]] : [];
  });
  return { heads: ['agent', 'address'], rows, flexible: 1 };
}

/**
 * The table of the web pages of the declared commits. A commit has no row if Parley does not know the web addresses of
 * the host of its repository.
 */
function commitTable(board: Members): Table {
  const rows = recordsIn(board, 'agents').flatMap((agent) => {
    const address = textIn(agent, 'commit_url');
    return address ? [[namesIn(board)(textIn(agent, 'role')), address]] : [];
  });
  return { heads: ['agent', 'page'], rows, flexible: 1 };
}

/** What each builder must do before a scenario can pass, and since when. */
function owesTable(board: Members, now: number): Table {
  const rows = recordsIn(board, 'scenarios').flatMap((scenario) =>
    recordsIn(scenario, 'owes').map((owed) => [
      textIn(scenario, 'scenario_id'),
      namesIn(board)(textIn(owed, 'role')),
      textIn(owed, 'what'),
      sinceText(textIn(owed, 'since'), now),
    ]),
  );
  return { heads: ['scenario', 'who', 'owes', 'since'], rows, flexible: 2 };
}

function scenarioTable(board: Members): Table {
  const rows = recordsIn(board, 'scenarios').map((scenario) => {
    const attempts = recordsIn(scenario, 'attempts');
    return [
      textIn(scenario, 'scenario_id'),
      textIn(scenario, 'status'),
      namesIn(board)(textIn(scenario, 'executor')),
      String(attempts.length),
      String(numberIn(attempts.at(-1) ?? {}, 'evidence_count')),
      textIn(scenario, 'title'),
    ];
  });
  return { heads: ['scenario', 'status', 'run by', 'runs', 'items', 'title'], rows, flexible: 5 };
}

/** The paths that each builder declares as changed. Nothing checks them but `parley commit-changes --of`. */
function changeTable(board: Members): Table {
  const handshakes = membersOf(board.handshakes);
  const rows = ['agent_a', 'agent_b'].flatMap((role) => {
    const changes = membersOf(membersOf(handshakes[role]).changes);
    return Object.keys(changes).map((since) => [
      namesIn(board)(role),
      since.slice(0, 12),
      textsIn(changes, since).join(', ') || '-',
    ]);
  });
  return { heads: ['declared by', 'since', 'paths'], rows, flexible: 2 };
}

function carriedTable(board: Members): Table {
  const nameOf = namesIn(board);
  const rows = recordsIn(board, 'scenarios').flatMap((scenario) => {
    const carried = membersOf(scenario.carried);
    if (textIn(carried, 'by') === '') return [];
    return [[textIn(scenario, 'scenario_id'), nameOf(textIn(carried, 'by')), carriedText(carried, nameOf)]];
  });
  return { heads: ['scenario', 'by', 'from, to and why'], rows, flexible: 2 };
}

/** The deviations from the contract in the latest verdicts of passed scenarios. */
function deviationTable(board: Members): Table {
  const rows = recordsIn(board, 'scenarios')
    .filter((scenario) => scenario.status === 'PASSED')
    .flatMap((scenario) => {
      const verdict = membersOf(recordsIn(scenario, 'attempts').at(-1)?.verdict);
      return textsIn(verdict, 'deviations').map((said) => [textIn(scenario, 'scenario_id'), said]);
    });
  return { heads: ['scenario', 'accepted deviation'], rows, flexible: 1 };
}

function defectTable(board: Members): Table {
  const rows = recordsIn(board, 'defects').map((defect) => [
    textIn(defect, 'defect_id'),
    textIn(defect, 'status'),
    namesIn(board)(textIn(defect, 'assigned_to')),
    textIn(defect, 'scenario_id'),
    textIn(membersOf(defect.fix), 'note') || textIn(defect, 'waiver_reason') || refusalText(defect) || '-',
  ]);
  return { heads: ['id', 'status', 'assigned to', 'scenario', 'fix or waiver'], rows, flexible: 4 };
}

function checkTable(certification: Members, nameOf: NameOf): Table {
  const rows = recordsIn(certification, 'checks').map((check) => [
    check.ok === true ? '✔' : '✘',
    textIn(check, 'check'),
    namedText(textIn(check, 'detail'), nameOf),
  ]);
  return { heads: ['', 'check', 'why'], rows, flexible: 2 };
}
