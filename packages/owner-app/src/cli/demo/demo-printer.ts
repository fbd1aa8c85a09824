import type { Mission } from '@parley/missions';
import type { Page } from '../../text/page.ts';
import { visible } from '../../text/visible.ts';
import { numberIn, textIn } from '../../transcript/message.ts';
import { createMessagePrinter, type MessagePrinter } from '../print/message-printer.ts';

/**
 * A kind of message that only the demo prints. Its body contains the number of blockers of the contract and the first
 * blocker.
 */
export const BLOCKERS_COUNTED = 'blockers.counted';

export function createDemoPrinter(page: Page, agents: Mission['session']['agents']): MessagePrinter {
  const printer = createMessagePrinter(page, agents);
  return {
    ...printer,
    lines: (message) =>
      message.kind === BLOCKERS_COUNTED
        ? ['', blockersLine(numberIn(message.body, 'count'), textIn(message.body, 'next'), page)]
        : printer.lines(message),
  };
}

function blockersLine(count: number, next: string, { paint }: Page): string {
  if (count === 0) return paint(['green', 'bold'], '✔ nothing blocks: the contract is certified');
  const what = count === 1 ? '1 blocker remains:' : `${count} blockers remain, first`;
  return paint('dim', `· ${what} ${visible(next)}`);
}
