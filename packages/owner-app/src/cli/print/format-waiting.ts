import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';

/** Makes the command line that completes a task which waits in a session. */
export type SettlingCommand = (session: Members, wait: Members) => string;

/** Formats the tasks that wait for the owner, by session. A task that blocks its session is marked with `!`. */
export function formatWaiting(sessions: readonly Members[], commandOf: SettlingCommand, page: Page): string[] {
  return sessions.flatMap((session, index) => {
    const waits = recordsIn(session, 'waits');
    const leftOut = numberIn(membersOf(session.left_out), 'count');
    const facts = [textIn(session, 'session_id'), textIn(session, 'status'), textIn(session, 'phase')].join(', ');
    return [
      ...(index > 0 ? [''] : []),
      `${page.paint('bold', visibleLine(textIn(session, 'title')))}  ${page.paint('dim', facts)}`,
      ...tableLines(tableOf(waits), page.columns, page.paint),
      ...waits.map((wait) => `  ${page.paint('cyan', commandOf(session, wait))}`),
      ...(leftOut > 0 ? [page.paint('dim', `  and ${leftOut} more`)] : []),
    ];
  });
}

function tableOf(waits: readonly Members[]): Table {
  const rows = waits.map((wait) => [
    wait.blocking === true ? '!' : ' ',
    textIn(wait, 'kind'),
    visibleLine(textIn(wait, 'text')),
  ]);
  return { heads: [' ', 'waits', 'what'], rows, flexible: 2 };
}
