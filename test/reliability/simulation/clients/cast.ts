import type { World } from '../world/world.ts';
import * as agent from './agent.ts';
import * as author from './author.ts';
import type { Seat } from './calls.ts';
import { runOwner } from './owner.ts';
import type { SimulatedSession } from './session.ts';

const { look, poll, post, readOn, propose, listDecisions, accept, acknowledge, answer } = agent;

/** The habit of a builder: calls of every kind, mostly turns and polls. */
const builder: agent.Habit = {
  pace: [20, 2_000],
  calls: [
    ...[post, post, post, post, poll, poll, poll, look, readOn],
    ...[propose, listDecisions, accept, agent.withdraw, agent.reject],
    ...[answer, answer, acknowledge, agent.answerOwner, agent.acknowledgeAction, agent.completeAction, agent.prove],
  ],
};

/** The habit of a client that shares a builder's token, takes part in the election, and changes the contract. */
const scribe: agent.Habit = {
  pace: [50, 2_500],
  calls: [
    ...[look, look, author.elect, author.elect, agent.nominate, author.readPlan],
    ...[author.submit, author.submitAsPosition, author.propose, author.amend, author.amend],
    ...[author.review, author.find, author.respond, author.resolve, author.readBlockers, author.revalidate],
  ],
};

/** The habit of a client that shares a builder's token and mostly polls. */
const listener: agent.Habit = {
  pace: [5, 1_500],
  calls: [...[poll, poll, poll, agent.pollTwice, readOn, readOn, agent.readAgain, look, acknowledge, answer]],
};

const moderator: agent.Habit = { pace: [50, 2_000], calls: [poll, poll, readOn, look] };

/** The habit of a client that sends far more requests than its rate limit allows. */
const hurried: agent.Habit = { pace: [1, 150], calls: [look, readOn] };

/** Starts the clients of a session: the two builders and the owner always, other clients at random. */
export function cast(world: World, { sessionId, seats }: SimulatedSession): Promise<unknown>[] {
  const { prng } = world;
  const at = (role: Seat['role'], habit: agent.Habit): Promise<void>[] =>
    seats.filter((seat) => seat.role === role).map((seat) => agent.runAgent(world, seat, habit));
  return [
    ...at('agent_a', builder),
    ...at('agent_b', builder),
    runOwner(world, { sessionId, seats }),
    ...at('agent_a', listener),
    ...(prng.chance(0.4) ? [...at('agent_a', scribe), ...at('agent_b', scribe)] : []),
    ...(prng.chance(0.5) ? at('agent_b', listener) : []),
    ...(prng.chance(0.4) ? at('moderator', moderator) : []),
    ...(world.settings.perToken < 100 ? at(prng.pick(['agent_a', 'agent_b']), hurried) : []),
  ];
}
