import type { EventBody } from '@parley/core/client';
import { createMessagePrinter } from '../../src/cli/print/message-printer.ts';
import { createPaint } from '../../src/text/page.ts';
import type { Message } from '../../src/transcript/message.ts';
import { messageBy } from './samples.ts';

const page = { columns: 80, paint: createPaint(false) };
const AGENTS = { agent_a: { name: 'Shop' }, agent_b: { name: 'Ledger' } };

/**
 * A message, and the lines that the command line prints for it. The message has the members of its sample too. The blank
 * line above the lines is left out.
 */
export type Reading = {
  [K in Message['kind']]: readonly [
    from: Message['from'],
    kind: K,
    part: Partial<EventBody<K>>,
    lines: readonly string[],
  ];
}[Message['kind']];

/** Returns the printed lines of one message. */
export const printed = (message: Message): string[] => createMessagePrinter(page, AGENTS).lines(message);

export const linesOf = (from: Message['from'], kind: Message['kind'], part: object): string[] =>
  printed(messageBy(from, kind, part, { at: 'no time' }));
