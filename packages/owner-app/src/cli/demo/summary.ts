import type { Answer } from '@parley/core/client';
import { plural } from '@parley/core/text';
import { isModerated, type Mission } from '@parley/missions';
import { type Page, ruleOf } from '../../text/page.ts';
import { tableLines } from '../../text/table.ts';
import { padText, wrapText } from '../../text/width.ts';
import { formatBoard } from '../print/format-board.ts';
import type { DemoResult } from './run-demo.ts';

type View = Answer<'view'>;

const LABEL_COLUMNS = 14;

export function openingLines(mission: Mission, page: Page): string[] {
  const { session } = mission;
  const { paint, columns } = page;
  const hasModerator = isModerated(mission);
  const { agent_a, agent_b } = session.agents;
  return [
    '',
    paint('bold', session.title),
    paint('dim', ruleOf(page)),
    ...wrapText(session.objective, columns),
    '',
    ...session.guardrails.flatMap((text) => labelled('guardrail', text, page)),
    ...session.requirements.flatMap(({ requirement_id, text }) => labelled(requirement_id, text, page)),
    '',
    `${paint('cyan', '●')} ${padText(agent_a.name, 24)}${paint('dim', agent_a.repository)}`,
    `${paint('yellow', '●')} ${padText(agent_b.name, 24)}${paint('dim', agent_b.repository)}`,
    ...(hasModerator
      ? [
          `${paint('blue', '●')} ${padText('moderator', 24)}${paint('dim', 'may ask and stop approvals; never writes the contract')}`,
        ]
      : []),
    '',
    ...wrapText(
      `Mission ${mission.mission}: the owner invites ${hasModerator ? 'the agents' : 'both agents'}. Each agent redeems its code and connects over MCP.`,
      columns,
    ).map((line) => paint('dim', line)),
  ];
}

const labelled = (label: string, text: string, { columns, paint }: Page): string[] =>
  wrapText(text, columns - LABEL_COLUMNS).map(
    (line, index) => `${paint('dim', padText(index === 0 ? label : '', LABEL_COLUMNS))}${line}`,
  );

export function closingLines(mission: Mission, result: DemoResult, page: Page): string[] {
  const { outcome, view, board, events, differences } = result;
  const { paint, columns } = page;
  const { session } = mission;
  const author = outcome.contract_author === 'agent_b' ? session.agents.agent_b : session.agents.agent_a;
  const rows = view.decisions.map(({ decision_id, status, topic }) => [decision_id, status, topic]);
  return [
    '',
    paint('dim', ruleOf(page)),
    ...labelled('author', `${author.name}, elected after ${String(outcome.turns)} turns`, page),
    ...contractLines(view, page),
    ...(isModerated(mission) ? moderatorLines(view, page) : []),
    ...labelled('session', `${String(outcome.status)} in ${String(outcome.phase)}${authorizedStages(view)}`, page),
    '',
    ...tableLines({ heads: ['decision', 'status', 'topic'], rows, flexible: 2 }, columns, paint),
    ...(board.scenarios.length > 0 ? formatBoard(board, page) : []),
    '',
    `${events} events. This command has checked their chain of hashes.`,
    ...(differences.length === 0
      ? [paint('green', 'The session ended as the mission file describes.')]
      : differenceLines(differences, page)),
  ];
}

function authorizedStages({ state: { authorizations } }: View): string {
  const stages = (['build', 'deployment', 'activation'] as const).filter(
    (stage) => authorizations[`${stage}_authorized`],
  );
  return stages.length > 0 ? `; authorized: ${stages.join(', ')}` : '';
}

/** The revision and the hash of the contract. Empty if no revision was submitted. */
const contractLines = ({ state: { latest_revision: latest } }: View, page: Page): string[] =>
  latest
    ? [
        ...labelled('contract', `${latest.revision_id}, ${latest.status}`, page),
        ...labelled('content_hash', latest.content_hash, page),
      ]
    : [];

function moderatorLines({ moderator, findings, holds, moderator_reviews }: View, page: Page): string[] {
  const raised = findings.filter(({ raised_by }) => raised_by === 'moderator');
  const counts = [
    plural(raised.length, 'finding'),
    plural(holds.length, 'hold'),
    plural(moderator_reviews.length, 'review'),
  ];
  return labelled('moderator', `${counts.join(', ')}; has acknowledged events up to ${moderator.acked_cursor}`, page);
}

const differenceLines = (differences: readonly string[], { paint }: Page): string[] => [
  paint(['red', 'bold'], 'The session differs from the mission file:'),
  ...differences.map((difference) => `  - ${difference}`),
];
