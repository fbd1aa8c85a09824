import { shortHash, visible } from '../../../src/text/visible.ts';

/** Shows a text that somebody wrote. Characters that could hide or reorder letters are spelled out. */
export function SafeText({ text }: { readonly text: string }) {
  return <span class="said">{visible(text)}</span>;
}

/** Shows the beginning of a checksum. The whole checksum is in the tooltip. */
export function Hash({ value }: { readonly value: string }) {
  return (
    <code class="hash" title={value}>
      {shortHash(value)}
    </code>
  );
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows a time: for a time of today the time of day alone, for any other the date too. */
export function When({ at }: { readonly at: string }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{at}</span>;
  const isToday = moment.toDateString() === new Date().toDateString();
  const short = isToday ? moment.toLocaleTimeString() : DAY_AND_TIME.format(moment);
  return (
    <time dateTime={at} title={FULL.format(moment)}>
      {short}
    </time>
  );
}

const ROLE_NAMES: Readonly<Record<string, string>> = {
  agent_a: 'Agent A',
  agent_b: 'Agent B',
  moderator: 'Moderator',
  owner: 'You',
  system: 'Parley',
};

export const roleName = (role: string): string => ROLE_NAMES[role] ?? role;

export function Role({ of: role, name }: { readonly of: string; readonly name?: string | undefined }) {
  return <span class={`role ${role}`}>{name ? visible(name) : roleName(role)}</span>;
}

type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'live';

/** Shows a status as a word in a colour. The colour says nothing that the word does not say. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
