import type { Joined } from '../../../support/join-session.ts';
import { type Cast, heldBy } from './cast.ts';
import { HEADERS, SEGMENTS, TOKENS } from './credentials.ts';
import { BARE_CHALLENGE, CHALLENGE, type Kind, OLDER_NAMES } from './specification.ts';
import { type Bearing, type Door, OPERATIONS, type Target } from './targets.ts';

/** A request without the necessary rights, and the answer that the specification requires. */
export interface RefusedRequest {
  readonly name: string;
  readonly doors: readonly Door[];
  /** Whether to send the request to this target. If absent, the request is sent to all targets. */
  readonly concerns?: (target: Target, door: Door) => boolean;
  readonly bear: (cast: Cast, target: Target) => Bearing;
  readonly expected: (target: Target, door: Door) => string;
}

type Expected = RefusedRequest['expected'];

/** Spec 5 and 7: 401 with a challenge. Over MCP the error -32001. */
const unauthorized =
  (code: string, challenge = CHALLENGE): Expected =>
  (_target, door) =>
    door === 'REST' ? `401 ${code} ${challenge}` : `401 -32001 ${code} ${challenge}`;

/** With these headers, the specification treats a request as one without credentials. */
const EMPTY_HEADERS: ReadonlySet<string> = new Set(['no header', 'an empty header']);

/** Spec 7: 403. Over MCP a tool result with `isError`. */
const forbidden =
  (code: string, detail: (target: Target) => string = () => ''): Expected =>
  (target, door) =>
    `${door === 'REST' ? '403' : '200 isError'} ${code}${detail(target)}`;

const EVERY_DOOR: readonly Door[] = ['REST', 'MCP header', 'MCP path'];

/** Puts the token into the header and into the path. If MCP has a token in the path, the header must have no effect. */
const bearing = (token: string, { sessionId }: Joined, extra: object = {}): Bearing => ({
  ...{ sessionId, authorization: [`Bearer ${token}`], segment: token, extra },
});

/** An invalid input. Only a sender with the necessary rights may get an error about it. */
const BAD_INPUT = { no_such_member: 'x' };

const headerAttempts = Object.entries(HEADERS).map(
  ([name, headersOf]): RefusedRequest => ({
    name,
    doors: ['REST', 'MCP header'],
    bear: ({ current }, { kind }) => ({
      sessionId: current.sessionId,
      authorization: headersOf(heldBy(kind, current)),
    }),
    expected: unauthorized('UNAUTHORIZED', EMPTY_HEADERS.has(name) ? BARE_CHALLENGE : CHALLENGE),
  }),
);

const segmentAttempts = Object.entries(SEGMENTS).map(
  ([name, segmentOf]): RefusedRequest => ({
    name,
    doors: ['MCP path'],
    bear: ({ current }, { kind }) => ({
      ...bearing(heldBy(kind, current), current),
      segment: segmentOf(heldBy(kind, current)),
    }),
    expected: unauthorized('UNAUTHORIZED'),
  }),
);

const tokenAttempts = Object.entries(TOKENS).map(
  ([name, [code, hold]]): RefusedRequest => ({
    name,
    doors: EVERY_DOOR,
    bear: (cast, { kind }) => bearing(...hold(cast, kind)),
    expected: unauthorized(code),
  }),
);

const isOperation = ({ tool }: Target): boolean => tool !== null;
const otherKind = (kind: Kind): Kind => (kind === 'builder' ? 'moderator' : 'builder');

/**
 * Whether tokens of the other kind (builder or moderator) also have an operation with this route or tool name, older
 * names included.
 */
function isShared({ kind, tool, route }: Target, door: Door): boolean {
  const others = OPERATIONS.filter((operation) => operation.kind === otherKind(kind));
  if (door === 'REST') return others.some((operation) => operation.route === route);
  const name = kind === 'builder' ? (OLDER_NAMES[tool ?? ''] ?? tool) : tool;
  return others.some((operation) => operation.tool === name);
}

const roleAttempt: RefusedRequest = {
  name: 'a token of the other kind of agent',
  doors: EVERY_DOOR,
  concerns: (target, door) => isOperation(target) && !isShared(target, door),
  bear: ({ current }, { kind }) => bearing(heldBy(otherKind(kind), current), current, BAD_INPUT),
  expected: ({ kind }, door) => {
    if (door !== 'REST') return '200 -32602';
    return kind === 'builder' ? '403 MODERATOR_FORBIDDEN' : '403 BUILDER_FORBIDDEN';
  },
};

const sessionAttempts: readonly RefusedRequest[] = [
  {
    name: 'a token of another session',
    doors: ['REST'],
    concerns: isOperation,
    bear: ({ current, other }, { kind }) => bearing(heldBy(kind, other), current, BAD_INPUT),
    expected: forbidden('WRONG_SESSION'),
  },
  {
    name: 'an input that names another session',
    doors: EVERY_DOOR,
    concerns: isOperation,
    bear: ({ current, other }, { kind }) => bearing(heldBy(kind, current), current, { session_id: other.sessionId }),
    expected: forbidden('WRONG_SESSION'),
  },
];

/** A token of another session. The session is checked before the rights of the token. */
const strangerAttempt: RefusedRequest = {
  name: 'a token of the other kind of agent in another session',
  doors: ['REST'],
  concerns: isOperation,
  bear: ({ current, other }, { kind }) => bearing(heldBy(otherKind(kind), other), current, BAD_INPUT),
  expected: forbidden('WRONG_SESSION'),
};

/**
 * Spec 5.11: every request of a moderator that is stopped or not entitled gets this code, before operation and session
 * are checked.
 */
const standingAttempts = (
  [
    ['stopped', 'MODERATOR_STOPPED'],
    ['unentitled', 'MODERATOR_NOT_ENTITLED'],
    ['unentitledAndStopped', 'MODERATOR_STOPPED'],
  ] as const
).flatMap(([standing, code]) =>
  [true, false].map(
    (isAtHome): RefusedRequest => ({
      name: `a token of a moderator who is ${standing}${isAtHome ? '' : ', in another session'}`,
      doors: EVERY_DOOR,
      bear: (cast) => {
        const { [standing]: own, current } = cast;
        return bearing(own.tokens.moderator, isAtHome ? own : current, isAtHome ? {} : BAD_INPUT);
      },
      expected: (_target, door) => (door === 'REST' ? `403 ${code}` : `403 -32001 ${code}`),
    }),
  ),
);

const permissionAttempts = [{}, BAD_INPUT].map(
  (extra): RefusedRequest => ({
    name: `a token without the permission${extra === BAD_INPUT ? ', and a bad input,' : ''}`,
    doors: EVERY_DOOR,
    concerns: ({ kind, grant }) => kind === 'moderator' && grant !== null,
    bear: ({ without, current }, { grant }) => {
      const narrowed = without.get(grant ?? '') ?? current;
      return bearing(narrowed.tokens.moderator, narrowed, extra);
    },
    expected: forbidden('PERMISSION_DENIED', ({ grant }) => ` ${grant}`),
  }),
);

const scopeAttempts = [{}, BAD_INPUT].map(
  (extra): RefusedRequest => ({
    name: `a token without the scope${extra === BAD_INPUT ? ', and a bad input,' : ''}`,
    doors: EVERY_DOOR,
    concerns: ({ kind, grant }) => kind === 'builder' && grant !== null,
    bear: ({ without, current }, { grant }) => {
      const narrowed = without.get(grant ?? '') ?? current;
      return bearing(narrowed.tokens.agent_a, narrowed, extra);
    },
    expected: forbidden('INSUFFICIENT_SCOPE', ({ grant }) => ` ${grant}`),
  }),
);

export const REFUSED_REQUESTS: readonly RefusedRequest[] = [
  ...headerAttempts,
  ...segmentAttempts,
  ...tokenAttempts,
  roleAttempt,
  strangerAttempt,
  ...standingAttempts,
  ...sessionAttempts,
  ...scopeAttempts,
  ...permissionAttempts,
];
