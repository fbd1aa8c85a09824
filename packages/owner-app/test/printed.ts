import { createMessagePrinter } from '../src/cli/print/message-printer.ts';
import { createPaint } from '../src/text/style.ts';

const page = { columns: 80, paint: createPaint(false) };
const AGENTS = { agent_a: { name: 'Shop' }, agent_b: { name: 'Ledger' } };

/** A message and its printed lines, without the blank line before it. */
export type Reading = readonly [from: string, kind: string, body: object, lines: readonly string[]];

/** Prints one message at a width of 80 columns. */
export const printed = (from: string, kind: string, body: object): string[] =>
  createMessagePrinter(page, AGENTS).lines({ id: 1, at: 'no time', from, kind, body: { ...body } });
