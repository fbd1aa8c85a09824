import { inline, prose } from '@parley/core/markdown';
import type { Part } from '@parley/core/words';
import { eventTextOf } from '../../../../src/transcript/event-text.ts';
import { createIdIndex, type Message, speakerOf } from '../../../../src/transcript/message.ts';

/** Formats a text as a Markdown quotation. */
const quoted = (text: string): string =>
  prose(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** Formats the transcript as Markdown for people. The Markdown text cannot be verified, unlike the exported log. */
export function markdownTranscript(
  title: string,
  events: readonly Message[],
  nameOf: (role: string) => string,
): string {
  const ids = createIdIndex();
  const parts = [`# ${inline(title)}`];
  for (const message of events) {
    ids.note(message);
    const eventText = eventTextOf(message, { ids, nameOf });
    if (!eventText) continue;
    const { heading, text, parts: pieces = [], outcome } = eventText;
    if (heading)
      parts.push(`## ${message.id}. ${inline(speakerOf(message, nameOf))} ${inline(heading)}\n\n${message.at}`);
    if (text) parts.push(quoted(text));
    if (pieces.length > 0) parts.push(pieces.map(pieceOf).join('\n'));
    if (outcome) parts.push(`**${inline(outcome)}**`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** Describes why the transcript is incomplete. Returns null if the page has received every event of the log. */
export function missingEvents(
  { head }: { readonly head: { readonly seq: number } },
  events: readonly Pick<Message, 'id'>[],
): string | null {
  const loaded = events.length === 0 ? 0 : (events.at(-1)?.id ?? 0) - (events[0]?.id ?? 0) + 1;
  return loaded < head.seq
    ? `The page has loaded ${loaded} of ${head.seq} events. The export is possible when it has loaded all of them.`
    : null;
}

function pieceOf({ label, title, text, evidence = [] }: Part): string {
  const said = [title, text].flatMap((piece) => (piece ? [inline(piece)] : [])).join(': ');
  const sources = evidence.map(({ source }) => `  - ${inline(source)}`);
  return [`- *${inline(label)}* ${said}`, ...sources].join('\n');
}
