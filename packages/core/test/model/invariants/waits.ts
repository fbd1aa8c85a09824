import { getSessionEvents, waitForActivity } from '../../../src/areas/interventions/feed.ts';
import { readSessionState, waitForMyTurn } from '../../../src/areas/session/operations.ts';
import { verifyNext } from '../../../src/areas/verify/operations.ts';
import { BUILDERS, type Builder, type Seen, whole } from '../seen.ts';
import { isAnswered, look, type World } from '../world.ts';
import type { Facts, Invariant } from './facts.ts';
import { hasNews } from './news.ts';
import { isSpent } from './quotas.ts';

type Role = Builder | 'moderator';

/**
 * One long-poll of a role: whether its answer names work, the cursor of that answer, and whether a long-poll after a given cursor
 * ends at once.
 */
interface Wait {
  readonly name: string;
  readonly namesWork: boolean;
  readonly cursor: number;
  readonly answersAfter: (after?: number) => boolean;
}

const WAITING = [null, 'wait_for_my_turn', 'wait_for_activity'];

type View = ReturnType<Seen['state']>;

const namesCall = ({ instruction }: View): boolean => !WAITING.includes(instruction.tool);

function* waitsOf(world: World, role: Role, now: Seen): Generator<Wait> {
  const state = whole(look(world, readSessionState, role, {}));
  const of = { namesWork: namesCall(state), cursor: state.cursor };
  yield {
    ...of,
    name: 'read_session_state',
    answersAfter: (after) => isAnswered(world, readSessionState, role, { wait: 25, after }),
  };
  if (role === 'moderator') {
    yield* feedWaitsOf(world, state, isSpent(now, 'moderator'));
    return;
  }
  yield {
    ...of,
    name: 'wait_for_my_turn',
    answersAfter: (after) => isAnswered(world, waitForMyTurn, role, { wait: 25, after }),
  };
}

/** The long-polls of the moderator's feed. An action counts as work only if the moderator can complete it now. */
function* feedWaitsOf(world: World, { status, pending_actions }: View, isStopped: boolean): Generator<Wait> {
  const page = look(world, getSessionEvents, 'moderator', {});
  const isDoable = (tool?: string): boolean =>
    status === 'ACTIVE' || tool === undefined || (status === 'PAUSED' && tool === 'resolve_finding');
  const isDue = !isStopped && pending_actions.some((each) => each.status === 'PENDING' && isDoable(each.tool));
  const of = { namesWork: hasNews(world, page.events) || isDue, cursor: page.head };
  yield {
    ...of,
    name: 'get_session_events',
    answersAfter: (after) => isAnswered(world, getSessionEvents, 'moderator', { wait: 25, after }),
  };
  yield {
    ...of,
    name: 'wait_for_activity',
    answersAfter: (after) => isAnswered(world, waitForActivity, 'moderator', { wait_seconds: 25, after }),
  };
}

const rolesOf = (now: Seen): readonly Role[] =>
  now.moderator().refused === null ? [...BUILDERS, 'moderator'] : BUILDERS;

/**
 * A long-poll without a cursor ends at once if and only if its answer names work. A long-poll after the cursor of that answer is
 * held.
 */
export const waitsEndForWork: Invariant = function* ({ world, now }) {
  const isEnded = now.session().status === 'ENDED';
  for (const role of rolesOf(now)) {
    for (const { name, namesWork, cursor, answersAfter } of waitsOf(world, role, now)) {
      const isDue = namesWork || isEnded;
      if (answersAfter() !== isDue) yield `${name} of ${role} is ${isDue ? 'held' : 'answered'}; work: ${namesWork}`;
      if (answersAfter(cursor) !== isEnded)
        yield `${name} of ${role} after ${cursor} is ${isEnded ? 'held' : 'answered'}`;
    }
  }
  for (const builder of BUILDERS) {
    const { items, status } = look(world, verifyNext, builder, {});
    const isDue = items.length > 0 || status === 'ENDED';
    if (isAnswered(world, verifyNext, builder, { wait: 25 }) !== isDue)
      yield `verify_next of ${builder} is ${isDue ? 'held' : 'answered'} with ${items.length} items`;
  }
};

/**
 * Calls that end no long-poll of other roles, although they can change which known work comes first. For example, the author leaves
 * its review to later once the moderator has acknowledged events.
 */
const SILENT = /^(ack_action|ack_intervention|ack_events)$/;

/** If a call changes the instruction of a role, a long-poll after the role's earlier cursor ends at once. */
export const newWorkIsTold: Invariant = function* (facts) {
  const { world, now, call } = facts;
  for (const role of rolesOf(now)) {
    const [known, told] = [stateOf(facts.before, role), stateOf(now, role)];
    if (!known || !told || !namesCall(told)) continue;
    if (SILENT.test(call.name) && (call.by === role || namesCall(known))) continue;
    if (known.instruction.text === told.instruction.text) continue;
    if (!isAnswered(world, readSessionState, role, { wait: 25, after: known.cursor }))
      yield `${role} is not told after ${known.cursor}: ${told.instruction.text}`;
  }
};

function stateOf(now: Facts['now'], role: Role): View | null {
  if (role !== 'moderator') return now.state(role);
  const moderator = now.moderator();
  return moderator.refused === null ? moderator.state : null;
}
