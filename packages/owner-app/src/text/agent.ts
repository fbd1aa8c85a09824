import { agoText, durationText } from './time.ts';
import { visibleLine } from './visible.ts';

/** An agent of a session, as answers to the owner contain it. If a member is undefined, its value is not known. */
export interface Agent {
  readonly role: string;
  readonly display_name?: string | undefined;
  readonly joined?: boolean | undefined;
  readonly revoked?: boolean | undefined;
  readonly token_expires_at?: string | null | undefined;
  /** Time until which the agent's unused invitation code is valid. Null if it has no such code. */
  readonly code_expires_at?: string | null | undefined;
  /** Time of the agent's last call. Null if the agent has made no call. */
  readonly last_call_at?: string | null | undefined;
  /** Whether a call of the agent is waiting now. */
  readonly waiting?: boolean | undefined;
  /** Time of the agent's last event. Absent if it has written none. */
  readonly wrote_at?: string | null | undefined;
  /** Time since which the agent has been able to take its next step. Absent if it has no step. */
  readonly due_since?: string | null | undefined;
}

/** The name of an agent in the form that all outputs use: `Catalog agent (agent_a)`. */
export function agentName(role: string, displayName: string | undefined): string {
  if (role === 'owner') return 'you';
  const name = visibleLine(displayName ?? '');
  return name === '' || name.toLowerCase() === role ? role : `${name} (${role})`;
}

/**
 * Replaces the roles in a sentence of the service by the names of the agents: `Catalog agent (agent_a) has not joined`.
 * A role inside an id stays, and so does a role in parentheses, because the agent's name already stands before the
 * parentheses.
 */
export const namedText = (text: string, nameOf: (role: string) => string): string =>
  text.replace(/(?<![\w/-])(?<!\((?=agent_[ab]\)))agent_[ab](?![\w/-])/g, nameOf);

/**
 * If a token expires within this number of milliseconds, the remaining time is shown and the agent counts as absent.
 */
const ENDING_MS = 30 * 60_000;
/** An agent with a step to take counts as idle this number of milliseconds after its last event. */
export const IDLE_MS = 3_600_000;
/**
 * An agent is shown as silent this number of milliseconds after its last call, unless a call of the agent is waiting.
 */
const SILENT_MS = 60_000;
/** A silent agent that the service does not report counts as absent this number of milliseconds after its last call. */
const ABSENT_MS = 10 * 60_000;

/** Why an agent does not take its step. `silent`: it makes no call. `idle`: it makes calls, but writes nothing. */
type Hindrance = 'never joined' | 'access revoked' | 'token expired' | 'silent' | 'token ends' | 'idle';

/**
 * Why an agent does not take its step, or will soon be unable to. Undefined for an agent that acts. `presenceText` begins
 * with the same word, or has the times with it.
 *
 * @param isReported whether the service reports the agent as absent. Only the service knows its limit of silence and
 * whether the agent is building
 */
export function hindranceOf(agent: Agent, nowMs: number, isReported = false): Hindrance | undefined {
  if (agent.revoked) return 'access revoked';
  if (agent.joined === false) return 'never joined';
  const left = tokenLeftMs(agent, nowMs);
  if (left <= 0) return 'token expired';
  if (silenceMs(agent, nowMs) >= (isReported ? SILENT_MS : ABSENT_MS)) return 'silent';
  if (left < ENDING_MS) return 'token ends';
  return idleMs(agent, nowMs) > 0 ? 'idle' : undefined;
}

/** The meaning of the mark `idle`, for a tooltip. */
export const IDLE_MEANING =
  'This agent has something to do and makes calls, but has written nothing for an hour or longer.';

/**
 * Whether an agent is active, in words: `waiting, 4 s ago`, `silent for 47 min, token ends in 20 min`, `never joined`,
 * `idle (last call 4 s ago), wrote nothing for 7 h`. If an agent has been silent for an hour, the time of its last event
 * is left out. Empty if the service has no information about the agent.
 */
export const presenceText = (agent: Agent, nowMs: number): string =>
  [accessText(agent, nowMs), codeText(agent, nowMs)].filter(Boolean).join(', ');

/** The unused invitation code of an agent: `invited: hand over the code (valid for 23 h)`. Empty if there is none. */
function codeText(agent: Agent, nowMs: number): string {
  const left = codeLeftMs(agent, nowMs);
  return left > 0 ? `invited: hand over the code (valid for ${durationText(left)})` : '';
}

/** Whether an agent has an unused invitation code that is still valid. */
export const isInvited = (agent: Agent, nowMs: number): boolean => codeLeftMs(agent, nowMs) > 0;

interface EndedByInvitation {
  /** Time until which the unused code is valid, in words. Undefined without a valid code. */
  readonly codeUntil: string | undefined;
  /** Whether the page can show the unused code. */
  readonly isShownHere: boolean;
  readonly hasToken: boolean;
}

const NOT_SHOWN =
  ' Only the page that made the code can show it. If you still have its text, give that to the agent instead.';

/**
 * Asks whether to invite an agent again, and says what that ends. Null if the agent has neither a valid invitation code
 * nor a valid token, so that an invitation ends nothing.
 */
export function inviteAgainQuestion(name: string, ended: EndedByInvitation): string | null {
  const { codeUntil, isShownHere, hasToken } = ended;
  if (codeUntil === undefined && !hasToken) return null;
  const code = codeUntil === undefined ? '' : ` Its code, which is valid until ${codeUntil}, ends at once.`;
  const where = codeUntil === undefined || isShownHere ? '' : NOT_SHOWN;
  return `Invite ${name} again?${code}${where}${hasToken ? ' Its token works until the agent redeems the new code.' : ''}`;
}

const codeLeftMs = ({ code_expires_at }: Agent, nowMs: number): number =>
  code_expires_at ? Date.parse(code_expires_at) - nowMs : 0;

function accessText(agent: Agent, nowMs: number): string {
  if (!canCall(agent, nowMs)) return hindranceOf(agent, nowMs) ?? '';
  const left = tokenLeftMs(agent, nowMs);
  const ending = left < ENDING_MS ? `token ends in ${durationText(left)}` : '';
  return [callText(agent, nowMs), ending].filter(Boolean).join(', ');
}

const NO_ACCESS: ReadonlySet<Hindrance> = new Set(['access revoked', 'never joined', 'token expired']);

/** Whether an agent has a valid token, so that it can go on without a new invitation. */
export function canCall(agent: Agent, nowMs: number): boolean {
  const hindrance = hindranceOf(agent, nowMs);
  return hindrance === undefined || !NO_ACCESS.has(hindrance);
}

/** Milliseconds until the token of an agent expires. Infinity if that time is not known. */
const tokenLeftMs = ({ token_expires_at }: Agent, nowMs: number): number =>
  token_expires_at ? Date.parse(token_expires_at) - nowMs : Number.POSITIVE_INFINITY;

/** Which of the given agents are absent, and why: `both never joined`, `Catalog agent (agent_a): silent for 47 min`. */
export function absentText(agents: readonly Agent[], nowMs: number): string {
  const presences = agents.map((agent) => presenceText(agent, nowMs));
  if (agents.length === 2 && presences[0] === presences[1]) return `both ${presences[0]}`;
  return agents
    .map(({ role, display_name }, index) =>
      [agentName(role, display_name), presences[index]].filter(Boolean).join(': '),
    )
    .join('; ');
}

/** Milliseconds since an agent's last call. 0 if a call of the agent is waiting, or if no call is known. */
const silenceMs = ({ last_call_at, waiting }: Agent, nowMs: number): number =>
  waiting || !last_call_at ? 0 : nowMs - Date.parse(last_call_at);

function callText(agent: Agent, nowMs: number): string {
  const { joined, last_call_at, waiting } = agent;
  const idle = idleMs(agent, nowMs);
  const wrote = idle > 0 ? `, wrote nothing for ${durationText(idle)}` : '';
  if (!last_call_at) return wrote ? `idle (no call seen)${wrote}` : joined ? 'joined, no call seen' : '';
  const silence = silenceMs(agent, nowMs);
  if (silence >= SILENT_MS) return `silent for ${durationText(silence)}${silence < IDLE_MS ? wrote : ''}`;
  const ago = agoText(last_call_at, nowMs);
  return wrote ? `idle (last call ${ago})${wrote}` : `${waiting ? 'waiting' : 'active'}, ${ago}`;
}

/**
 * Milliseconds for which an agent has written nothing. 0 unless the agent has had a step to take for an hour and has
 * written nothing in the last hour.
 */
function idleMs({ wrote_at, due_since }: Agent, nowMs: number): number {
  const due = due_since ? nowMs - Date.parse(due_since) : 0;
  const idle = wrote_at ? nowMs - Date.parse(wrote_at) : due;
  return due >= IDLE_MS && idle >= IDLE_MS ? idle : 0;
}
