import { EVENT_KINDS, factsOf } from '../../../support/event-samples.ts';

/**
 * The state of a session, folded from its log by rules of the simulation's own. The checks compare it with the answers
 * of Parley.
 */
export interface Standing {
  readonly status: 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';
  readonly phase: string;
  readonly firstTurn: string;
  readonly roundLimit: number;
  readonly turns: number;
  /** Maps the id of an unanswered question to the role that has to answer it. */
  readonly questions: ReadonlyMap<string, string>;
  /** Maps the id of an intervention to the targets that have not acknowledged it yet. */
  readonly interventions: ReadonlyMap<string, readonly string[]>;
  /** Maps the id of a pending action to the role that has to complete it. */
  readonly actions: ReadonlyMap<string, string>;
  /** Id and author of every message. All roles see every message. */
  readonly messages: readonly Message[];
  /** Maps each role to the cursor of its state view. */
  readonly cursors: ReadonlyMap<string, number>;
  /** Number of the last event that an agent or the owner caused. */
  readonly lastCall: number;
  /** Maps the SHA-256 of a token to the number of the event that ended it, or to null while the token is valid. */
  readonly tokens: ReadonlyMap<string, number | null>;
  readonly currentToken: ReadonlyMap<string, string>;
  /** Ids and content hashes of all contract revisions, oldest first. */
  readonly revisions: readonly Revision[];
}

interface Revision {
  readonly id: string;
  readonly hash: string;
}

interface Message {
  readonly id: number;
  readonly from: string;
}

export interface ReadEvent {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly prevHash: string;
  readonly hash: string;
}

export const EMPTY: Standing = {
  status: 'DRAFT',
  phase: 'PLANNING',
  firstTurn: 'agent_a',
  roundLimit: 0,
  turns: 0,
  questions: new Map(),
  interventions: new Map(),
  actions: new Map(),
  messages: [],
  cursors: new Map(),
  lastCall: 0,
  tokens: new Map(),
  currentToken: new Map(),
  revisions: [],
};

const FOR_ALL = EVENT_KINDS.filter((kind) => factsOf(kind).seenBy === 'everyone');
const ALWAYS_MESSAGES: readonly string[] = FOR_ALL.filter((kind) => factsOf(kind).message === true);
const MESSAGES_OUTSIDE_TURNS: readonly string[] = FOR_ALL.filter((kind) => factsOf(kind).message === 'standalone');

export const isMessageKind = (kind: unknown): boolean =>
  [...ALWAYS_MESSAGES, ...MESSAGES_OUTSIDE_TURNS].some((known) => known === kind);

const isMessage = ({ kind, data }: ReadEvent): boolean =>
  ALWAYS_MESSAGES.includes(kind) || (MESSAGES_OUTSIDE_TURNS.includes(kind) && data.in_turn !== true);

export function read(standing: Standing, event: ReadEvent): Standing {
  const { seq, actor } = event;
  const next = {
    ...standing,
    ...changes(standing, event),
    cursors: movedCursors(standing, event),
    lastCall: actor === 'system' ? standing.lastCall : seq,
  };
  return isMessage(event) ? { ...next, messages: [...next.messages, { id: seq, from: actor }] } : next;
}

/**
 * Returns the cursors after an event. A message moves the cursors of both builders. An opened action moves the cursor
 * of the builder who must complete it, to the event that opens it. Exception: if Parley opens the action, and no agent
 * or owner has caused an event since the last message, the cursor moves to that message. Each event of the feed moves
 * the moderator's cursor.
 */
function movedCursors(standing: Standing, event: ReadEvent): Standing['cursors'] {
  const { seq, kind, actor } = event;
  const isFed = isMessage(event) || MESSAGES_OUTSIDE_TURNS.includes(kind) || kind === 'intervention.acknowledged';
  const dueTo = kind.startsWith('action.') ? String(event.data.due_to) : undefined;
  let { cursors } = standing;
  if (isFed || dueTo === 'moderator') cursors = put(cursors, 'moderator', seq);
  if (isMessage(event)) return put(put(cursors, 'agent_a', seq), 'agent_b', seq);
  if (kind !== 'action.opened' || dueTo === undefined || dueTo === 'moderator') return cursors;
  const message = latestMessage(standing);
  return put(cursors, dueTo, actor === 'system' && message >= standing.lastCall ? message : seq);
}

function changes(standing: Standing, { kind, seq, actor, data }: ReadEvent): Partial<Standing> {
  const word = (name: string): string => String(data[name]);
  switch (kind) {
    case 'session.created':
      return { roundLimit: Number(data.round_limit), firstTurn: word('first_turn') };
    case 'first_turn.chosen':
      return { firstTurn: word('first_turn') };
    case 'session.started':
    case 'session.resumed':
      return { status: 'ACTIVE' };
    case 'session.paused':
      return { status: 'PAUSED' };
    case 'session.ended':
      return { status: 'ENDED' };
    case 'rounds.extended':
      return { roundLimit: Number(data.round_limit) };
    case 'phase.changed':
      return { phase: word('to') };
    case 'turn.posted':
      return { turns: standing.turns + 1 };
    case 'question.asked':
      return { questions: put(standing.questions, word('question_id'), word('to')) };
    case 'question.answered':
      return { questions: drop(standing.questions, word('question_id')) };
    case 'intervention.opened':
      return { interventions: put(standing.interventions, word('intervention_id'), textsIn(data.targets)) };
    case 'intervention.acknowledged':
    case 'intervention.answered':
      return { interventions: withoutTarget(standing.interventions, word('intervention_id'), actor) };
    case 'intervention.withdrawn':
      return { interventions: drop(standing.interventions, word('intervention_id')) };
    case 'action.opened':
      return { actions: put(standing.actions, word('action_id'), word('due_to')) };
    case 'action.acknowledged':
    case 'action.completed':
    case 'action.fulfilled':
      return { actions: drop(standing.actions, word('action_id')) };
    case 'invitation.redeemed':
      return withToken(standing, word('role'), word('token_hash'), seq);
    case 'revision.created':
      return { revisions: [...standing.revisions, { id: word('revision_id'), hash: word('content_hash') }] };
    case 'access.revoked':
      return { tokens: endToken(standing, word('role'), seq) };
    default:
      return {};
  }
}

function withToken(standing: Standing, role: string, hash: string, seq: number): Partial<Standing> {
  const tokens = put(endToken(standing, role, seq), hash, null);
  return { tokens, currentToken: put(standing.currentToken, role, hash) };
}

function endToken({ tokens, currentToken }: Standing, role: string, seq: number): ReadonlyMap<string, number | null> {
  const hash = currentToken.get(role);
  return hash === undefined || tokens.get(hash) !== null ? tokens : put(tokens, hash, seq);
}

function withoutTarget(open: Standing['interventions'], id: string, actor: string): Standing['interventions'] {
  return put(
    open,
    id,
    (open.get(id) ?? []).filter((target) => target !== actor),
  );
}

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const put = <V>(map: ReadonlyMap<string, V>, key: string, value: V): Map<string, V> => new Map(map).set(key, value);

function drop<V>(map: ReadonlyMap<string, V>, key: string): Map<string, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** Returns the builder that may post a turn now, or null. */
export function speaker({ status, phase, turns, roundLimit, firstTurn }: Standing): string | null {
  if (status !== 'ACTIVE' || (phase !== 'PLANNING' && phase !== 'CONTRACT') || turns >= 2 * roundLimit) return null;
  const second = firstTurn === 'agent_a' ? 'agent_b' : 'agent_a';
  return turns % 2 === 0 ? firstTurn : second;
}

/**
 * Whether a long-poll that the role sends without a cursor must end immediately. An answer may name more work than this
 * function counts, such as the steps that `instruction` names.
 */
export function hasWork(standing: Standing, role: string): boolean {
  return (
    (role === 'moderator' && cursorOf(standing, role) > 0) ||
    (standing.phase === 'PLANNING' && speaker(standing) === role) ||
    [...standing.questions.values()].includes(role) ||
    [...standing.interventions.values()].some((targets) => targets.includes(role)) ||
    [...standing.actions.values()].includes(role)
  );
}

export const cursorOf = ({ cursors }: Standing, role: string): number => cursors.get(role) ?? 0;

export const latestMessage = ({ messages }: Standing): number => messages.at(-1)?.id ?? 0;

export const latestFromOthers = ({ messages }: Standing, role: string): number =>
  messages.findLast(({ from }) => from !== role)?.id ?? 0;
