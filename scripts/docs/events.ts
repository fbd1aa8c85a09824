import { describeEvents, type EventReference } from '@parley/core';
import { tableRow } from '../markdown-table.ts';

export const file = 'docs/events.md';

const SEEN_BY: Readonly<Record<EventReference['seenBy'], string>> = {
  everyone: 'both builders, moderator, owner',
  moderator: 'moderator, owner',
  addressee: 'the agent it is due to, owner',
  owner: 'owner',
};

export function render(): string {
  return `${[
    '# Events\n',
    'Generated from the event catalogue by `pnpm docs:events`. A session is the log of these events; everything else is',
    'computed from it. A message is an entry of the transcript: it has the number of its event as id, and it ends the',
    'long-poll of whoever sees it and did not write it. An event that is no message wakes a poll only through what it',
    'leaves to do, such as an action. Who may not see an event finds it in no page, and its number in no cursor',
    'unless the event changes what is due.\n',
    'The owner reads a member marked † at once, the agents later: the answers of a readiness report once both builders are',
    'ready. A member marked ‡ stands in the log alone: the transcript and the event feed of the moderator leave it out.\n',
    tableRow(['Kind', 'v', 'Seen by', 'Message', 'Data']),
    tableRow(['---', '---', '---', '---', '---']),
    ...describeEvents().map((event) =>
      tableRow([
        `\`${event.kind}\``,
        String(event.version),
        SEEN_BY[event.seenBy],
        messageText(event),
        dataText(event),
      ]),
    ),
  ].join('\n')}\n`;
}

function messageText({ message }: EventReference): string {
  if (message === 'standalone') return 'yes, unless said inside a turn';
  return message ? 'yes' : 'no';
}

const dataText = ({ data, withheld, omitted }: EventReference): string =>
  Object.keys(data.properties ?? {})
    .map(
      (name) =>
        `${name}${data.required?.includes(name) ? '' : '?'}${withheld.includes(name) ? ' †' : ''}${omitted.includes(name) ? ' ‡' : ''}`,
    )
    .join(', ');
