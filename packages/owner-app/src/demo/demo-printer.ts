import type { Mission } from '@parley/missions';
import type { Message } from '../print/message.ts';
import { createMessagePrinter, type MessagePrinter } from '../print/message-printer.ts';
import type { Page } from '../print/page.ts';
import { visible } from '../print/visible.ts';
import { padText, wrapText } from '../print/width.ts';
import { type Moment, momentOf } from './moments.ts';

const LABEL_COLUMNS = 13;
const COLOURS = { agent_a: 'cyan', agent_b: 'yellow', owner: 'magenta' } as const;

/** Shows a conversation as every other command does, and what happens to the contract as the demo tells it. */
export function createDemoPrinter(page: Page, agents: Mission['session']['agents']): MessagePrinter {
  const printer = createMessagePrinter(page, agents);
  let wasShort = false;
  return {
    lines(message) {
      const moment = momentOf(message);
      if (!moment) {
        wasShort = false;
        return printer.lines(message);
      }
      const lines = momentLines(message, moment, nameIn(agents, message.from), page);
      const isShort = lines.length === 1;
      const gap = isShort && wasShort ? [] : [''];
      wasShort = isShort;
      return [...gap, ...lines];
    },
  };
}

function nameIn(agents: Mission['session']['agents'], from: string): string {
  return from === 'agent_a' || from === 'agent_b' ? agents[from].name : from;
}

function momentLines({ from }: Message, moment: Moment, name: string, page: Page): string[] {
  const { paint, columns } = page;
  const colour = from === 'agent_a' || from === 'agent_b' || from === 'owner' ? COLOURS[from] : 'gray';
  const body = [
    ...(moment.text ? wrapText(visible(moment.text), columns - 2) : []),
    ...(moment.facts ?? []).flatMap((fact) => factLines(fact, page)),
  ];
  return [
    ...(moment.heading ? [`${paint(colour, '●')} ${paint([colour, 'bold'], name)}  ${visible(moment.heading)}`] : []),
    ...body.map((line) => `${paint(colour, '│')} ${line}`.trimEnd()),
    ...(moment.note ? [paint('dim', `· ${visible(moment.note)}`)] : []),
    ...(moment.outcome ? [paint(['green', 'bold'], `✔ ${visible(moment.outcome)}`)] : []),
  ];
}

const factLines = ([label, value]: readonly [string, string], { columns, paint }: Page): string[] =>
  wrapText(visible(value), columns - LABEL_COLUMNS - 2).map(
    (line, index) => `${paint('dim', padText(index === 0 ? label : '', LABEL_COLUMNS))}${line}`,
  );
