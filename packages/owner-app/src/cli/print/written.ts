import type { After } from '@parley/core/client';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import type { Terminal } from '../terminal.ts';
import { nextLines } from './next-step.ts';

interface Written {
  readonly operation: string;
  /** Undefined if the service does not send it. */
  readonly after: After | undefined;
}

/** What a write has changed, who must act next, and the next command of the owner. */
export function writtenLines(
  { operation, after }: Written,
  place: { readonly terminal: Terminal; readonly sessionId: string },
): string[] {
  const said = after?.said ?? 'The operation succeeded.';
  return [
    ...wrapText(visibleLine(said), place.terminal.columns),
    ...(operation === 'pause' || !after ? [] : nextLines(after.view, place)),
    ...undoLines(operation, place),
  ];
}

/** The operations that stop a session or its moderator, each with the command that reverses the operation. */
const UNDO: ReadonlyMap<string, string> = new Map([
  ['pause', 'resume'],
  ['stopModerator', 'restore-moderator'],
]);

function undoLines(operation: string, { terminal, sessionId }: { terminal: Terminal; sessionId: string }): string[] {
  const undo = UNDO.get(operation);
  return undo === undefined ? [] : ['To undo this:', '', `  ${terminal.program} ${undo} ${sessionId}`];
}
