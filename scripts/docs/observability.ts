import { METRICS, type MetricDefinition } from '@parley/owner-app';
import { withGeneratedPart } from '../generated-part.ts';
import { tableRow } from '../markdown-table.ts';

/** docs/observability.md. Its table of metrics is generated from their definitions. */
export const file = 'docs/observability.md';

export function render(): string {
  const definitions: readonly MetricDefinition[] = Object.values(METRICS);
  const rows = definitions.map(({ name, type, help, labels, series = [] }) => [
    `\`${name}\``,
    type,
    labels.map((label) => labelCell(label, series)).join('; '),
    help,
  ]);
  const table = [['Metric', 'Type', 'Labels', 'What it says'], ['---', '---', '---', '---'], ...rows];
  return withGeneratedPart(file, table.map(tableRow).join('\n'));
}

function labelCell(label: string, series: NonNullable<MetricDefinition['series']>): string {
  const values = [...new Set(series.flatMap((labels) => labels[label] ?? []))];
  return values.length === 0 ? `\`${label}\`` : `\`${label}\`: ${values.join(', ')}`;
}
