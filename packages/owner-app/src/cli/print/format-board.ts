import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { shortHash, visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';

/** Formats the test board: handshakes, scenarios, defects and certification checks. */
export function formatBoard(board: Members, page: Page): string[] {
  const certification = membersOf(board.certification);
  return [
    ...section('what runs', handshakeTable(membersOf(board.handshakes)), page),
    ...section('scenarios', scenarioTable(board), page),
    ...section('deviations', deviationTable(board), page),
    ...section('defects', defectTable(board), page),
    ...section('checks', checkTable(certification), page),
    '',
    certification.certified === true
      ? page.paint(['green', 'bold'], '✔ certified: every check holds')
      : page.paint(['yellow', 'bold'], 'not certified yet'),
  ];
}

function section(title: string, table: Table, { columns, paint }: Page): string[] {
  if (table.rows.length === 0) return [];
  const rows = table.rows.map((row) => row.map(visibleLine));
  return ['', paint(['bold', 'cyan'], title), ...tableLines({ ...table, rows }, columns, paint)];
}

function handshakeTable(handshakes: Members): Table {
  const rows = ['agent_a', 'agent_b'].flatMap((role) => {
    const handshake = membersOf(handshakes[role]);
    if (!textIn(handshake, 'commit')) return [];
    const isReady = handshake.ready === true && handshake.dependencies_healthy === true;
    const words = ['service', 'version', 'environment', 'fixture_version'].map((member) =>
      visibleLine(textIn(handshake, member)),
    );
    return [[role, shortHash(textIn(handshake, 'commit')), isReady ? 'ready' : 'not ready', ...words]];
  });
  return { heads: ['agent', 'commit', 'says', 'service', 'version', 'in', 'fixtures'], rows, flexible: 6 };
}

function scenarioTable(board: Members): Table {
  const rows = recordsIn(board, 'scenarios').map((scenario) => {
    const attempts = recordsIn(scenario, 'attempts');
    return [
      textIn(scenario, 'scenario_id'),
      textIn(scenario, 'status'),
      textIn(scenario, 'executor'),
      String(attempts.length),
      String(numberIn(attempts.at(-1) ?? {}, 'evidence_count')),
      textIn(scenario, 'title'),
    ];
  });
  return { heads: ['scenario', 'status', 'run by', 'runs', 'items', 'title'], rows, flexible: 5 };
}

/** The table of deviations. They come from the latest verdict of each passed scenario. */
function deviationTable(board: Members): Table {
  const rows = recordsIn(board, 'scenarios')
    .filter((scenario) => scenario.status === 'PASSED')
    .flatMap((scenario) => {
      const verdict = membersOf(recordsIn(scenario, 'attempts').at(-1)?.verdict);
      return textsIn(verdict, 'deviations').map((said) => [textIn(scenario, 'scenario_id'), said]);
    });
  return { heads: ['scenario', 'passed in spite of'], rows, flexible: 1 };
}

function defectTable(board: Members): Table {
  const rows = recordsIn(board, 'defects').map((defect) => [
    textIn(defect, 'defect_id'),
    textIn(defect, 'status'),
    textIn(defect, 'assigned_to'),
    textIn(defect, 'scenario_id'),
    textIn(membersOf(defect.fix), 'note') || textIn(defect, 'waiver_reason') || '-',
  ]);
  return { heads: ['id', 'status', 'for', 'scenario', 'settled by'], rows, flexible: 4 };
}

function checkTable(certification: Members): Table {
  const rows = recordsIn(certification, 'checks').map((check) => [
    check.ok === true ? '✔' : '✘',
    textIn(check, 'check'),
    textIn(check, 'detail'),
  ]);
  return { heads: ['', 'check', 'why'], rows, flexible: 2 };
}
