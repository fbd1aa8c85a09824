import type { Page } from '../../text/page.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { padText, shorten, textWidth, wrapText } from '../../text/width.ts';
import type { EventText, Evidence, Part } from '../../transcript/event-text.ts';
import { eventTextOf } from '../../transcript/event-texts.ts';
import { createIdIndex } from '../../transcript/id-index.ts';
import { type Members, type Message, membersOf, textIn } from '../../transcript/message.ts';

/** Formats messages as the lines of a conversation. Pass the messages in their order. */
export interface MessagePrinter {
  lines(message: Message): string[];
}

const LABEL_COLUMNS = 13;
const MAX_NAME_COLUMNS = 30;
type Colour = 'cyan' | 'yellow' | 'magenta' | 'blue' | 'gray';
const COLOURS: ReadonlyMap<string, Colour> = new Map([
  ['agent_a', 'cyan'],
  ['agent_b', 'yellow'],
  ['owner', 'magenta'],
  ['moderator', 'blue'],
]);

/**
 * Makes a printer.
 *
 * @param agents `{ agent_a: { name }, agent_b: { name } }`, if known; the first event of a session contains them too
 */
export function createMessagePrinter(page: Page, agents: Members = {}): MessagePrinter {
  const ids = createIdIndex();
  let names = agents;
  let wasShort = false;
  const nameOf = (role: string): string => textIn(membersOf(names[role]), 'name') || role;

  return {
    lines(message) {
      ids.note(message);
      if (message.kind === 'session.created') names = membersOf(message.body.agents);
      const eventText = eventTextOf(message, { ids, nameOf });
      if (!eventText) return [];
      const lines = eventLines(message, eventText, nameOf(message.from), page);
      const isShort = eventText.text === undefined && eventText.parts === undefined;
      const gap = isShort && wasShort ? [] : [''];
      wasShort = isShort;
      return [...gap, ...lines];
    },
  };
}

function eventLines({ from, at }: Message, eventText: EventText, name: string, page: Page): string[] {
  const colour = colourOf(from);
  const bar = page.paint(colour, '│');
  const text = textLines(eventText.text, page);
  const parts = (eventText.parts ?? []).flatMap((part) => partLines(part, page));
  const body = text.length > 0 && parts.length > 0 ? [...text, '', ...parts] : [...text, ...parts];
  return [
    ...(eventText.heading ? headLines({ name, heading: eventText.heading, at, colour }, page) : []),
    ...body.map((line) => `${bar} ${line}`.trimEnd()),
    ...(eventText.outcome ? outcomeLines(eventText.outcome, page) : []),
  ];
}

const colourOf = (from: string): Colour => COLOURS.get(from) ?? 'gray';

interface Head {
  readonly name: string;
  readonly heading: string;
  readonly at: string;
  readonly colour: Colour;
}

/**
 * The lines of a message's head. They are wrapped here: if the terminal wrapped a line, its second half could look like another
 * head.
 */
function headLines({ name, heading, at, colour }: Head, { columns, paint }: Page): string[] {
  const speaker = shorten(visibleLine(name), MAX_NAME_COLUMNS);
  const used = textWidth(speaker) + 4;
  const [words = '', ...more] = wrapText(visibleLine(heading), columns - used);
  const free = columns - used - textWidth(words) - 2;
  const clock = free >= 8 ? `${' '.repeat(free - 8)}${paint('dim', clockOf(at))}` : '';
  return [
    `${paint(colour, '●')} ${paint([colour, 'bold'], speaker)}  ${words}  ${clock}`.trimEnd(),
    ...more.map((line) => `${paint(colour, '│')} ${line}`),
  ];
}

const clockOf = (at: string): string => (Number.isNaN(Date.parse(at)) ? '' : new Date(at).toTimeString().slice(0, 8));

const textLines = (text: string | undefined, { columns }: Page): string[] =>
  text ? wrapText(visible(text), columns - 2) : [];

function outcomeLines(outcome: string, { columns, paint }: Page): string[] {
  return wrapText(visibleLine(outcome), columns - 2).map((line, index) =>
    paint(['green', 'bold'], `${index === 0 ? '✔' : ' '} ${line}`),
  );
}

function partLines({ label, title, text, evidence = [] }: Part, page: Page): string[] {
  const width = page.columns - LABEL_COLUMNS - 2;
  const lines = [
    ...(title && text ? titled(title, text, width, page) : wrapText(visible(title ?? text ?? ''), width)),
    ...evidence.flatMap((item) => evidenceLines(item, width, page)),
  ].filter((line, index, all) => line !== '' || all.length === 1 || index > 0);
  return lines.map((line, index) => `${page.paint('dim', padText(index === 0 ? label : '', LABEL_COLUMNS))}${line}`);
}

/** The lines of a titled text. A short id is on the same line as the text; a topic is on the line above. */
function titled(title: string, text: string, width: number, { paint }: Page): string[] {
  const shown = visibleLine(title);
  if (/^\S{1,6}$/.test(shown)) return wrapText(`${shown}  ${visible(text)}`, width);
  return [...wrapText(shown, width).map((line) => paint('bold', line)), ...wrapText(visible(text), width)];
}

function evidenceLines({ source, excerpt }: Evidence, width: number, { paint }: Page): string[] {
  const lines = [
    ...wrapText(visible(source), width),
    ...(excerpt ? wrapText(visible(excerpt), width - 2).map((line) => `  ${line}`) : []),
  ];
  return lines.map((line) => paint('dim', line));
}
