import { shortHash } from '@parley/core/text';
import { signal } from '@preact/signals';
import { agentName } from '../../../../src/text/agent.ts';
import { visible } from '../../../../src/text/visible.ts';

/** Shows a text of a person or an agent. Characters that could hide or reorder letters are replaced by codes. */
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

/** A time with its date, such as `Nov 27, 2026, 11:29 AM`. */
export const dayAndTime = (at: string): string => DAY_AND_TIME.format(new Date(at));

/** Shows a time. The date is left out if it is today and `withDate` is false. */
export function When({ at, withDate = false }: { readonly at: string; readonly withDate?: boolean }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{at}</span>;
  const isToday = !withDate && moment.toDateString() === new Date().toDateString();
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

/** Display names of the agents of the current session, by role. */
export const agentNames = signal<Readonly<Record<string, string>>>({});

export function roleName(role: string): string {
  const name = agentNames.value[role];
  return name === undefined ? (ROLE_NAMES[role] ?? role) : agentName(role, name);
}

/**
 * Returns the display name of a role that has acted. For the owner, it returns `Owner` instead of `You`, because
 * another person may have acted for the owner.
 */
export const actorName = (role: string): string => (role === 'owner' ? 'Owner' : roleName(role));

/**
 * Shows a role with its display name. For the owner, shows `You` if `isMine` is true, otherwise `name` or, without a
 * name, `Owner`.
 */
export function Role({
  of: role,
  name = agentNames.value[role],
  isMine = false,
}: {
  readonly of: string;
  readonly name?: string | undefined;
  readonly isMine?: boolean;
}) {
  const hasOwnName = name !== undefined && (role === 'agent_a' || role === 'agent_b');
  return (
    <span class={`role ${role}`}>
      {role === 'owner' ? ownerText(name, isMine) : hasOwnName ? visible(name) : (ROLE_NAMES[role] ?? role)}
      {hasOwnName && <span class="role-id">{` (${role})`}</span>}
    </span>
  );
}

const ownerText = (name: string | undefined, isMine: boolean): string =>
  isMine ? 'You' : visible(name ?? actorName('owner'));

type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'live';

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
