import { COST_ROLES, type Costs, readRecordedCosts } from '../agent-costs.ts';
import { tableRow } from '../markdown-table.ts';

export const file = 'docs/agent-costs.md';

export function render(): string {
  const { first, recorded } = readRecordedCosts();
  return `${[
    '# What a session costs an agent\n',
    'Calls and bytes of results in one whole mission: payment-capture with a moderator, as `parley demo --moderator` runs',
    'it, from the first invitation to the activation. Each result counts once, as UTF-8 JSON without its transport.\n',
    tableRow(['Agent', 'Calls, 0.1.0', 'Calls, now', 'Bytes, 0.1.0', 'Bytes, now']),
    tableRow(['---', '---:', '---:', '---:', '---:']),
    ...COST_ROLES.map((role) => rowOf(role, first[role], recorded[role])),
    '\n`pnpm measure:agents` measures again, and `--tools` lists each tool; it fails when a figure is more than 5 % above the',
    'recorded one, and so does `npm test`. `pnpm measure:agents --write` records the new figures, and `pnpm docs:agent-costs`',
    'writes this page from them.',
  ].join('\n')}\n`;
}

const rowOf = (role: string, before: Costs['agent_a'], now: Costs['agent_a']): string =>
  tableRow([
    `\`${role}\``,
    ...[before.calls, now.calls, before.bytes, now.bytes].map((figure) => figure.toLocaleString('en')),
  ]);
