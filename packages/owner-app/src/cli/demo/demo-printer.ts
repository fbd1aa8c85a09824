import { setTimeout as sleep } from 'node:timers/promises';
import type { Mission } from '@parley/missions';
import type { Page } from '../../text/page.ts';
import { visible } from '../../text/visible.ts';
import type { Message } from '../../transcript/message.ts';
import { createMessagePrinter } from '../print/message-printer.ts';

const LINE_MS = 12;
const READ_MS_PER_LINE = 45;
const LEAST_MS = 160;
const MOST_MS = 1_600;

/** Writes lines with pauses between them, so that a person can read along. */
export type Pace = (lines: readonly string[], write: (line: string) => void) => Promise<void>;

/** @param speed 1 for a whole mission in less than a minute, 0.4 for calm reading, 0 for no pauses */
export const createPace =
  (speed: number): Pace =>
  async (lines, write) => {
    for (const line of lines) {
      write(line);
      if (speed > 0) await sleep(LINE_MS / speed);
    }
    if (speed > 0 && lines.length > 0) {
      await sleep(Math.min(MOST_MS, Math.max(LEAST_MS, lines.length * READ_MS_PER_LINE)) / speed);
    }
  };

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
