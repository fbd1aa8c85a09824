import type { Answer } from '@parley/core/client';
import { namedText } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import type { Json } from '../../text/read-as.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import type { NameOf } from './agent-names.ts';

type Blockers = Answer<'blockers'>;

/**
 * Returns the command line for an owner operation. `payload` contains the members of the operation's input that are
 * already known.
 */
type CommandOf = (operation: string, payload: Json) => string;

interface BlockerWords {
  readonly commandOf: CommandOf;
  readonly nameOf: NameOf;
  /** A line for each role that must act next. Shown if the contract is approved. */
  readonly next: readonly string[];
}

/** Formats the blockers of an approval, and the command for each blocker that the owner can remove. */
export function formatBlockers(
  { certified, latest_revision: latest, blockers }: Blockers,
  { commandOf, nameOf, next }: BlockerWords,
  page: Page,
): string[] {
  const { columns, paint } = page;
  const title = visibleLine(latest?.title ?? '');
  if (latest && certified)
    return latest.status === 'APPROVED'
      ? [
          paint(['green', 'bold'], `✔ ${latest.revision_id} is approved: ${title}`),
          ...next.flatMap((line) => wrapText(visibleLine(line), columns)),
        ]
      : [
          paint(['green', 'bold'], `✔ nothing blocks ${latest.revision_id}: ${title}`),
          '',
          `  ${commandOf('approveContract', { revision_id: latest.revision_id, content_hash: latest.content_hash })}`,
        ];
  return [
    latest ? `${latest.revision_id} ${latest.status}  ${title}` : 'No revision yet',
    '',
    ...tableLines(tableOf(blockers, nameOf), page),
    ...commandLines(blockers, commandOf),
  ];
}

const tableOf = (blockers: Blockers['blockers'], nameOf: NameOf): Table => ({
  heads: ['code', 'record', 'who', 'what'],
  rows: blockers.map(({ code, record, responsible, message }) => [
    code,
    record.id,
    nameOf(responsible),
    namedText(message, nameOf),
  ]),
});

function commandLines(blockers: Blockers['blockers'], commandOf: CommandOf): string[] {
  const lines = blockers
    .filter(({ responsible }) => responsible === 'owner')
    .map(({ resolution: { tool = '', payload = {} } }) => `  ${commandOf(tool, payload)}`);
  return lines.length > 0 ? ['', 'You can:', '', ...new Set(lines)] : [];
}
