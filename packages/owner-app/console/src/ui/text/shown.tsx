import { signal } from '@preact/signals';
import { agentName } from '../../../../src/text/agent.ts';
import { shortHash, visible } from '../../../../src/text/visible.ts';

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

/** Shows a time: only the time of day if it is today, otherwise with the date. */
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

/** Display names of the agents of the session that is shown, by role. */
export const agentNames = signal<Readonly<Record<string, string>>>({});

/** The display name of a role in the session that is shown. */
export function roleName(role: string): string {
  const name = agentNames.value[role];
  return name === undefined ? (ROLE_NAMES[role] ?? role) : agentName(role, name);
}

/**
 * The display name of the role that has acted. Unlike `roleName`, it returns `Owner` for the owner and not `You`, because another
 * person may have acted for the owner.
 */
export const actorName = (role: string): string => (role === 'owner' ? 'Owner' : roleName(role));

/**
 * A role: its display name, with the role beside it. For the owner: `You` if the signed-in person has acted; otherwise the name
 * of the person, or `Owner` if the event names no person.
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

/** Shows a status as a coloured word. The colour has no meaning in addition to the word. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
