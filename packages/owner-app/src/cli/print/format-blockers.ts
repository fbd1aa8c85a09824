import { namedText } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, recordsIn, textIn } from '../../transcript/message.ts';
import type { NameOf } from './agent-names.ts';

/**
 * Returns the command line for an owner operation. `payload` contains the members of the operation's input that are
 * already known.
 */
type CommandOf = (operation: string, payload: Members) => string;

interface BlockerWords {
  readonly commandOf: CommandOf;
  readonly nameOf: NameOf;
  /** A line for each role that must act next. Shown if the contract is approved. */
  readonly next: readonly string[];
}

/** Formats the blockers of an approval, and the command for each blocker that the owner can remove. */
export function formatBlockers(
  answer: Members,
  { commandOf, nameOf, next }: BlockerWords,
  { columns, paint }: Page,
): string[] {
  const blockers = recordsIn(answer, 'blockers');
  const latest = membersOf(answer.latest_revision);
  const { revision_id, content_hash } = latest;
  const title = visibleLine(textIn(latest, 'title'));
  if (answer.certified === true && latest.status === 'APPROVED')
    return [
      paint(['green', 'bold'], `✔ ${textIn(latest, 'revision_id')} is approved: ${title}`),
      ...next.flatMap((line) => wrapText(visibleLine(line), columns)),
    ];
  if (answer.certified === true)
    return [
      paint(['green', 'bold'], `✔ nothing blocks ${textIn(latest, 'revision_id')}: ${title}`),
      '',
      `  ${commandOf('approveContract', { revision_id, content_hash })}`,
    ];
  const revisionLine = textIn(latest, 'revision_id')
    ? `${textIn(latest, 'revision_id')} ${textIn(latest, 'status')}  ${title}`
    : 'No revision yet';
  return [
    revisionLine,
    '',
    ...tableLines(tableOf(blockers, nameOf), columns, paint),
    ...commandLines(blockers, commandOf),
  ];
}

function tableOf(blockers: readonly Members[], nameOf: NameOf): Table {
  const rows = blockers.map((blocker) => [
    textIn(blocker, 'code'),
    textIn(membersOf(blocker.record), 'id'),
    nameOf(textIn(blocker, 'responsible')),
    visibleLine(namedText(textIn(blocker, 'message'), nameOf)),
  ]);
  return { heads: ['code', 'record', 'who', 'what'], rows, flexible: 3 };
}

function commandLines(blockers: readonly Members[], commandOf: CommandOf): string[] {
  const lines = blockers
    .filter(({ responsible }) => responsible === 'owner')
    .map(({ resolution }) => membersOf(resolution))
    .map((resolution) => commandOf(textIn(resolution, 'tool'), membersOf(resolution.payload)));
  return lines.length > 0 ? ['', 'You can:', '', ...new Set(lines.map((line) => `  ${line}`))] : [];
}
