import { factsOf, shortHash } from '@parley/core/text';
import { signal } from '@preact/signals';
import { agentName, namedText } from '../../../../src/text/agent.ts';
import { taskOf, waitsToSettle } from '../../../../src/text/inbox.ts';
import { recordPath } from '../../../../src/text/record-address.ts';
import { elapsedText, serverNow } from '../../../../src/text/time.ts';
import { visible, visibleLine } from '../../../../src/text/visible.ts';
import type { Glance, OwnerWait, SessionView } from '../../api/answers.ts';
import { tabOfRecord, toSession } from '../../state/route.ts';

const TICK_MS = 10_000;

/**
 * The time of the server in milliseconds since the epoch, for texts such as `4 min ago`. While the page is visible, it is updated
 * every ten seconds.
 */
export const clock = signal(serverNow());

setInterval(() => {
  if (document.visibilityState === 'visible') clock.value = serverNow();
}, TICK_MS);

export interface FramedProps {
  readonly text: string;
  /** The element around the text. Default: none. */
  readonly in?: 'p' | 'b' | 'strong' | 'code' | 'span' | 'li' | 'dd' | 'td' | 'h3' | 'h4';
  /** The class of that element. */
  readonly class?: string;
}

/** Shows a text of a person or an agent. Characters that could hide or reorder letters are replaced by codes. */
export function SafeText({ text, in: Frame, class: name }: FramedProps) {
  const said = <span class="said">{visible(text)}</span>;
  return Frame ? <Frame class={name}>{said}</Frame> : said;
}

interface NoteProps {
  readonly label: string;
  readonly text: string | null | undefined;
}

/** Shows a text of a person or an agent after a label, in small letters. Renders nothing without a text. */
export const Note = ({ label, text }: NoteProps) =>
  text == null || text === '' ? null : (
    <p class="muted">
      {label} <SafeText text={text} />
    </p>
  );

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

/**
 * Shows since when a task waits. For a draft, it says that the session was created then, and for a paused session, that
 * it was paused then.
 */
export const WaitsSince = ({
  wait: { kind, since },
}: {
  readonly wait: { readonly kind: string; readonly since: string };
}) => {
  const began = factsOf(kind)?.began;
  return (
    <span>
      {began && `${began} `}
      <Ago at={since} />
    </span>
  );
};

/**
 * Shows how long ago a time was. The time itself is in the tooltip. The word `ago` is a separate element, because
 * the table of sessions hides the word.
 */
export function Ago({ at }: { readonly at: string }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={FULL.format(moment)}>
      {elapsedText(at, clock.value)}
      <span class="ago"> ago</span>
    </time>
  );
}

interface LeftOutProps {
  readonly of: { readonly count: number; readonly how: string } | undefined;
}

/** Shows how many records an answer does not contain because of its size. */
export function LeftOut({ of }: LeftOutProps) {
  if (!of) return null;
  return (
    <p class="muted" title={of.how}>
      {`Records that are not shown on this page: ${of.count}. To list all records, run: parley records <id of the session>`}
    </p>
  );
}

interface WaitTextProps {
  readonly text: string;
  /** Returns the display name of a role in the session of the task. */
  readonly nameOf: (role: string) => string;
}

const TIME = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** Shows why a task waits. Roles in the service's text are replaced by names of agents, and times are formatted. */
export const WaitText = ({ text, nameOf }: WaitTextProps) => (
  <span class="said">
    {text
      .split(TIME)
      .map((piece, index) => (index % 2 === 0 ? namedText(piece, nameOf) : <When at={piece} key={index} />))}
  </span>
);

/** Whether the text of a task is shown. If an agent's words are shown, only a text that says what the owner can do is. */
export const isTextShown = ({ kind, said }: Pick<OwnerWait, 'kind' | 'said'>): boolean =>
  !said || factsOf(kind)?.isAdvice === true;

/** The address for a task: of its record or, if no tab shows this record, of the tab for this kind of task. */
export function addressOf(sessionId: string, { kind, record }: Pick<OwnerWait, 'kind' | 'record'>): string {
  const { tab, element } = factsOf(kind) ?? {};
  const place = tabOfRecord(record.id) ? recordPath(sessionId, record.id) : toSession(sessionId, tab);
  return element ? `${place}#${element}` : place;
}

export const statusTone = (status: Glance['status']): 'plain' | 'good' | 'warn' | 'live' =>
  (({ DRAFT: 'warn', ACTIVE: 'live', PAUSED: 'warn', ENDED: 'plain' }) as const)[status];

/**
 * Makes the title of a session's page: the owner's first task, otherwise the phase or status, and then the title of the
 * session.
 */
export function sessionTitle(view: Pick<SessionView, 'waits' | 'movers' | 'state' | 'title'>): string {
  const { state, title } = view;
  const [first] = waitsToSettle(view);
  const now = first ? taskOf(first) : state.status === 'ACTIVE' ? state.phase : state.status;
  return `${now} · ${visibleLine(title)}`;
}
