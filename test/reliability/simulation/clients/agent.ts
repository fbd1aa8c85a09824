import { type Json, objectsIn, parse, textIn } from '../checks/reading.ts';
import type { Reply } from '../world/wire.ts';
import type { World } from '../world/world.ts';
import { type Call, callTool, type Seat, type ToolName } from './calls.ts';
import { renew } from './owner-calls.ts';
import { nextMarker } from './session.ts';

interface Memory {
  view: Json;
  decisions: readonly Json[];
  cursor: number;
  epoch: number;
}

export interface Client {
  readonly world: World;
  readonly seat: Seat;
  readonly memory: Memory;
}

export interface Habit {
  /** Shortest and longest pause between two calls, in milliseconds. */
  readonly pace: readonly [number, number];
  readonly calls: readonly ((client: Client) => Promise<unknown>)[];
}

export async function runAgent(world: World, seat: Seat, { pace, calls }: Habit): Promise<void> {
  const client: Client = { world, seat, memory: { view: {}, decisions: [], cursor: 0, epoch: 0 } };
  while (!world.isOver) {
    await world.timeline.sleep(world.prng.between(...pace));
    forgetAfterRollback(client);
    await world.prng.pick(calls)(client);
  }
}

/** After a rollback, forgets cursors and ids, as an agent should after a failover. */
function forgetAfterRollback({ world, seat, memory }: Client): void {
  const { epoch } = world.ledger.history(seat.sessionId);
  if (epoch === memory.epoch) return;
  Object.assign(memory, { view: {}, decisions: [], cursor: 0, epoch });
}

export async function ask(client: Client, call: Call): Promise<Reply | null> {
  const { world, seat } = client;
  const { token } = seat;
  const { epoch } = world.ledger.history(seat.sessionId);
  const reply = await callTool(world, seat, call);
  if (reply?.status === 401 && seat.token === token) await renew(world, seat);
  if (reply?.status === 429) await world.timeline.sleep(world.prng.between(1_000, 15_000));
  return world.ledger.history(seat.sessionId).epoch === epoch ? reply : null;
}

const bodyOf = (reply: Reply | null): Json => (reply?.status === 200 ? parse(reply.body) : {});

export async function look(client: Client): Promise<void> {
  const answer = bodyOf(await ask(client, { name: 'read_session_state' }));
  if (answer.session_id !== undefined) client.memory.view = answer;
}

/** Sends a long-poll, with the last cursor or without a cursor, over REST or MCP. */
export async function poll(client: Client): Promise<void> {
  const { prng } = client.world;
  const { view } = client.memory;
  const wait = 1 + prng.below(25);
  const after = prng.chance(0.6) && typeof view.cursor === 'number' ? { after: view.cursor } : {};
  const call: Call =
    client.seat.role !== 'moderator' && prng.chance(0.3)
      ? { name: 'wait_for_my_turn', input: { wait, ...after } }
      : { name: 'read_session_state', input: { wait, ...after } };
  const answer = bodyOf(await ask(client, call));
  if (answer.session_id !== undefined) client.memory.view = answer;
}

/**
 * Starts two polls, one shortly after the other. Above the limit of polls for a token, the service ends the oldest
 * poll.
 */
export async function pollTwice(client: Client): Promise<void> {
  await Promise.all([
    poll(client),
    client.world.timeline.sleep(client.world.prng.between(0, 500)).then(() => poll(client)),
  ]);
}

export async function readOn(client: Client): Promise<void> {
  const { memory } = client;
  const from = memory.cursor;
  const answer = bodyOf(await ask(client, { name: 'read_messages', input: { after: from } }));
  if (typeof answer.next_cursor === 'number' && memory.cursor === from) memory.cursor = answer.next_cursor;
}

export async function readAgain(client: Client): Promise<void> {
  client.memory.cursor = client.world.prng.below(client.memory.cursor + 1);
  await readOn(client);
}

/** Repeats a turn under one key until its outcome is known, and sometimes once more. */
export async function post(client: Client): Promise<void> {
  const { world, memory } = client;
  const { prng, timeline } = world;
  if (memory.view.your_turn !== true && !prng.chance(0.15)) return await look(client);
  const marker = nextMarker(world);
  const call: Call = { name: 'post_turn', input: turn(client, marker), marker, key: marker };
  let again = prng.chance(0.3) ? 1 : 0;
  for (let tries = 0; tries < 8; tries += 1) {
    const reply = await ask(client, call);
    const isCertain = reply !== null && ![401, 429, 503].includes(reply.status);
    if (isCertain && (reply.status !== 200 || again === 0)) break;
    if (isCertain) again -= 1;
    await timeline.sleep(prng.between(20, isCertain ? 20_000 : 3_000));
  }
  memory.view = {};
}

function turn({ world, memory }: Client, marker: string): NonNullable<Call['input']> {
  const { prng } = world;
  const answers = objectsIn(memory.view, 'open_questions').map((question) => ({
    question_id: textIn(question, 'question_id'),
    answer: `Answer ${marker}`,
  }));
  const ask = prng.pick(['agent', 'owner']);
  return {
    summary: `Turn «${marker}»`,
    ...(prng.chance(0.4) ? { questions: [{ text: `Question of ${marker}?`, to: ask }] } : {}),
    ...(prng.chance(0.3) ? { proposed_decisions: [{ topic: `Topic ${marker}`, position: 'Yes.' }] } : {}),
    ...(answers.length > 0 && prng.chance(0.5) ? { answers } : {}),
  };
}

export const write =
  (name: ToolName, input: (client: Client, text: string) => Call['input'] | undefined) =>
  async (client: Client): Promise<void> => {
    const marker = nextMarker(client.world);
    const given = input(client, `Text «${marker}»`);
    if (given) await ask(client, { name, input: given, marker });
    else await look(client);
  };

type List = string | readonly string[];

/** Picks at random a record of the lists that this client last read, and returns the record's member `member`. */
function known({ world, memory }: Client, list: List, member: string): string | undefined {
  const records =
    list === 'decisions'
      ? memory.decisions
      : [list].flat().flatMap((one) => objectsIn(memory.view, one).filter((record) => member in record));
  return records.length > 0 ? textIn(world.prng.pick(records), member) : undefined;
}

/** The lists of a state view that show unanswered questions and directives. */
const INTERVENTIONS = ['owner_directives', 'open_interventions'];

const about =
  (list: List, member: string, text?: string) =>
  (client: Client, words: string): Call['input'] | undefined => {
    const id = known(client, list, member);
    return id === undefined ? undefined : { [member]: id, ...(text === undefined ? {} : { [text]: words }) };
  };

export const propose = write('submit_decision', ({ world }, position) => ({
  topic: `Topic ${world.prng.below(6)}`,
  position,
}));
export const withdraw = write('withdraw_decision', about('decisions', 'decision_id', 'reason'));
export const reject = write('reject_decision', about('decisions', 'decision_id', 'reason'));
export const answer = write('answer_question', about('open_questions', 'question_id', 'answer'));
export const answerOwner = write('answer_intervention', about(INTERVENTIONS, 'intervention_id', 'text'));
export const prove = write('post_evidence', (_client, reference) => ({ evidence: [{ kind: 'file', reference }] }));
export const nominate = write('elect_contract_author', ({ world }, reason) => ({
  candidate: world.prng.pick(['agent_a', 'agent_b']),
  reason,
}));

export const touch =
  (name: ToolName, input: ReturnType<typeof about>) =>
  async (client: Client): Promise<void> => {
    const given = input(client, '');
    await (given ? ask(client, { name, input: given }) : look(client));
  };

export const accept = touch('accept_decision', about('decisions', 'decision_id'));
export const acknowledge = touch('ack_intervention', about(INTERVENTIONS, 'intervention_id'));
export const acknowledgeAction = touch('ack_action', about('pending_actions', 'action_id'));
export const completeAction = touch('complete_action', about('pending_actions', 'action_id'));

export async function listDecisions(client: Client): Promise<void> {
  client.memory.decisions = objectsIn(bodyOf(await ask(client, { name: 'list_decisions' })), 'decisions');
}
