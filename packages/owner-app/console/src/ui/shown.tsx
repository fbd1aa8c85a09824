import { shortHash, visible } from '../../../src/text/visible.ts';

/** Text that somebody wrote. Characters that could hide or reorder letters are spelled out. */
export function SafeText({ text }: { readonly text: string }) {
  return <span class="said">{visible(text)}</span>;
}

/** The beginning of a checksum, with the whole checksum as its tooltip. */
export function Hash({ value }: { readonly value: string }) {
  return (
    <code class="hash" title={value}>
      {shortHash(value)}
    </code>
  );
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time. If it is today, only the time of day; else with the date. */
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

/** A status as a word. The colour only repeats the word. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
