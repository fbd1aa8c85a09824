import { type Members, type Message, membersOf, textIn } from './message.ts';
import type { Page } from './page.ts';
import { createRecordBook } from './record-book.ts';
import type { Evidence, Part, Saying } from './saying.ts';
import { sayingOf } from './sayings.ts';
import { visible } from './visible.ts';
import { padText, textWidth, wrapText } from './width.ts';

/** Turns messages, in order, into the lines of a conversation. */
export interface MessagePrinter {
  lines(message: Message): string[];
}

const LABEL_COLUMNS = 13;
type Colour = 'cyan' | 'yellow' | 'magenta' | 'blue' | 'gray';
const COLOURS: ReadonlyMap<string, Colour> = new Map([
  ['agent_a', 'cyan'],
  ['agent_b', 'yellow'],
  ['owner', 'magenta'],
  ['moderator', 'blue'],
]);

/** @param agents `{ agent_a: { name }, agent_b: { name } }`, where known; a session's first event tells it too */
export function createMessagePrinter(page: Page, agents: Members = {}): MessagePrinter {
  const book = createRecordBook();
  let cast = agents;
  let wasShort = false;
  const nameOf = (role: string): string => textIn(membersOf(cast[role]), 'name') || role;

  return {
    lines(message) {
      book.note(message);
      if (message.kind === 'session.created') cast = membersOf(message.body.agents);
      const saying = sayingOf(message, { book, nameOf });
      if (!saying) return [];
      const lines = sayingLines(message, saying, nameOf(message.from), page);
      const isShort = saying.text === undefined && saying.parts === undefined;
      const gap = isShort && wasShort ? [] : [''];
      wasShort = isShort;
      return [...gap, ...lines];
    },
  };
}

function sayingLines({ from, at }: Message, saying: Saying, name: string, page: Page): string[] {
  const colour = colourOf(from);
  const bar = page.paint(colour, '│');
  const text = textLines(saying.text, page);
  const parts = (saying.parts ?? []).flatMap((part) => partLines(part, page));
  const body = text.length > 0 && parts.length > 0 ? [...text, '', ...parts] : [...text, ...parts];
  return [
    ...(saying.heading ? [headLine({ name, heading: saying.heading, at, colour }, page)] : []),
    ...body.map((line) => `${bar} ${line}`.trimEnd()),
    ...(saying.outcome ? outcomeLines(saying.outcome, page) : []),
  ];
}

const colourOf = (from: string): Colour => COLOURS.get(from) ?? 'gray';

interface Head {
  readonly name: string;
  readonly heading: string;
  readonly at: string;
  readonly colour: Colour;
}

function headLine({ name, heading, at, colour }: Head, { columns, paint }: Page): string {
  const speaker = visible(name);
  const words = visible(heading).replaceAll('\n', ' ');
  const used = textWidth(speaker) + textWidth(words) + 6;
  const clock = used + 8 <= columns ? `${' '.repeat(columns - used - 8)}${paint('dim', clockOf(at))}` : '';
  return `${paint(colour, '●')} ${paint([colour, 'bold'], speaker)}  ${words}  ${clock}`.trimEnd();
}

const clockOf = (at: string): string => (Number.isNaN(Date.parse(at)) ? '' : new Date(at).toTimeString().slice(0, 8));

const textLines = (text: string | undefined, { columns }: Page): string[] =>
  text ? wrapText(visible(text), columns - 2) : [];

function outcomeLines(outcome: string, { columns, paint }: Page): string[] {
  return wrapText(visible(outcome), columns - 2).map((line, index) =>
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

/** A short id stands on the line of its text, a topic above it. */
function titled(title: string, text: string, width: number, { paint }: Page): string[] {
  const shown = visible(title);
  if (/^\S{1,6}$/.test(shown)) return wrapText(`${shown}  ${visible(text)}`, width);
  return [paint('bold', shown), ...wrapText(visible(text), width)];
}

function evidenceLines({ source, excerpt }: Evidence, width: number, { paint }: Page): string[] {
  const lines = [
    ...wrapText(visible(source), width),
    ...(excerpt ? wrapText(visible(excerpt), width - 2).map((line) => `  ${line}`) : []),
  ];
  return lines.map((line) => paint('dim', line));
}
