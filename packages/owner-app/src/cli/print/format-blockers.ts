import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, recordsIn, textIn } from '../../transcript/message.ts';

/** Makes the command line for an operation of the owner. `payload` contains the members of its input that are known. */
export type CommandOf = (operation: string, payload: Members) => string;

/** Formats the blockers of an approval. For each blocker that the owner can remove, prints the command. */
export function formatBlockers(answer: Members, commandOf: CommandOf, { columns, paint }: Page): string[] {
  const blockers = recordsIn(answer, 'blockers');
  const latest = membersOf(answer.latest_revision);
  const { revision_id, content_hash } = latest;
  const revisionLine = textIn(latest, 'revision_id')
    ? `${textIn(latest, 'revision_id')} ${textIn(latest, 'status')}  ${visibleLine(textIn(latest, 'title'))}`
    : 'No revision yet';
  if (answer.certified === true) {
    const approve = commandOf('approveContract', { revision_id, content_hash });
    const isApproved = latest.status === 'APPROVED';
    return [revisionLine, paint(['green', 'bold'], '✔ nothing blocks'), ...(isApproved ? [] : ['', `  ${approve}`])];
  }
  return [revisionLine, '', ...tableLines(tableOf(blockers), columns, paint), ...commandLines(blockers, commandOf)];
}

function tableOf(blockers: readonly Members[]): Table {
  const rows = blockers.map((blocker) => [
    textIn(blocker, 'code'),
    textIn(membersOf(blocker.record), 'id').slice(0, 22),
    textIn(blocker, 'responsible'),
    visibleLine(textIn(blocker, 'message')),
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
