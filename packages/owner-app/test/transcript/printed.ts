import { createMessagePrinter } from '../../src/cli/print/message-printer.ts';
import { createPaint } from '../../src/text/style.ts';

const page = { columns: 80, paint: createPaint(false) };
const AGENTS = { agent_a: { name: 'Shop' }, agent_b: { name: 'Ledger' } };

/** A message, and the lines that the command line prints for it. The blank line above them is left out. */
export type Reading = readonly [from: string, kind: string, body: object, lines: readonly string[]];

/** Returns the printed lines of one message. */
export const printed = (from: string, kind: string, body: object): string[] =>
  createMessagePrinter(page, AGENTS).lines({ id: 1, at: 'no time', from, kind, body: { ...body } });
