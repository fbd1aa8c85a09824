import type { Words } from '../event-words.ts';
import type { preflightEvents } from './events.ts';

export const preflightWords: Words<typeof preflightEvents> = {
  'preflight.submitted': ({ revision_id, mappings }, { say }) => ({
    heading: `${say('submits', 'submit')} the preflight of ${revision_id}`,
    parts: mappings.map(({ requirement_id, decisions, tasks, tests, gates, note }) => ({
      label: 'maps',
      title: requirement_id,
      text: `${[...decisions, ...tasks, ...tests, ...gates].join(', ')}${note ? `\n${note}` : ''}`,
    })),
  }),
};
