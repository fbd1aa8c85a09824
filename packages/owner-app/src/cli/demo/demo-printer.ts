import type { Mission } from '@parley/missions';
import type { Page } from '../../text/page.ts';
import { visible } from '../../text/visible.ts';
import type { Message } from '../../transcript/message.ts';
import { createMessagePrinter } from '../print/message-printer.ts';

/** The number of blockers of the contract, and the first blocker. Only the demo prints it, between the messages. */
export interface BlockerCount {
  readonly count: number;
  readonly next: string;
}

export function createDemoPrinter(page: Page, agents: Mission['session']['agents']) {
  const printer = createMessagePrinter(page, agents);
  return (news: Message | BlockerCount): string[] =>
    'count' in news ? ['', blockersLine(news, page)] : printer.lines(news);
}

function blockersLine({ count, next }: BlockerCount, { paint }: Page): string {
  if (count === 0) return paint(['green', 'bold'], '✔ nothing blocks: the contract is certified');
  const what = count === 1 ? '1 blocker remains:' : `${count} blockers remain, first`;
  return paint('dim', `· ${what} ${visible(next)}`);
}
