import { type CallTool, type Json, loadMission, type Mission, PARTS, type Step } from '@parley/missions';
import { expect, onTestFinished, test } from 'vitest';
import { openMemory } from './support/stores.ts';
import { createVirtualClock, type VirtualClock } from './support/virtual-clock.ts';
import { openWorld, playIn } from './support/world.ts';

const WAIT_SECONDS = 25;
const WAIT_MS = 1000 * WAIT_SECONDS;

const FIRST: Step = {
  by: 'agent_b',
  call: 'answer_intervention',
  input: { intervention_id: 'i_1', text: 'We do not leave the sandbox.' },
};
const RULES = 'Name the unit of each amount, and the clock of each time. '.repeat(25);
/** What happens without a turn before the election: a long directive, which both answer, and a question of builder B. */
const ASIDE: readonly Step[] = [
  { by: 'owner', call: 'direct', input: { targets: ['agent_a', 'agent_b'], text: RULES } },
  { by: 'agent_b', call: 'answer_intervention', input: { intervention_id: 'i_3', text: 'The ledger does.' } },
  { by: 'agent_a', call: 'answer_intervention', input: { intervention_id: 'i_3', text: 'The shop does.' } },
  {
    by: 'agent_b',
    call: 'answer_question',
    input: { question_id: '', answer: '', questions: ['Which clock stamps a capture?'] },
  },
  { by: 'agent_a', call: 'answer_question', input: { question_id: 'q_5', answer: 'The clock of the shop.' } },
];
const [TURNS, ELECTION] = [2, 14];

const withAside = ({ discussion, ...mission }: Mission): Mission => ({
  ...mission,
  discussion: [
    ...discussion.slice(0, TURNS),
    FIRST,
    ...discussion.slice(TURNS, ELECTION),
    ...ASIDE,
    ...discussion.slice(ELECTION),
  ],
});

/** Builder B while others work: waits, each time after the cursor of the answer before. */
class Waiter {
  readonly answers: Json[] = [];
  readonly #call: CallTool;
  readonly #clock: VirtualClock;
  #held: Promise<true> | undefined;

  constructor(call: CallTool, clock: VirtualClock) {
    this.#call = call;
    this.#clock = clock;
  }

  /** Waits again after each answer, until a wait is held or the session has ended. */
  async waits(): Promise<void> {
    while (this.answers.at(-1)?.status !== 'ENDED') {
      this.#held ??= this.#wait();
      if ((await Promise.race([this.#held, this.#clock.pending(WAIT_MS, 1)])) !== true) return;
      this.#held = undefined;
    }
  }

  /** Lets the held wait time out before the builder works without a cause. */
  async works(): Promise<void> {
    this.#clock.advance(this.#held ? WAIT_MS : 0);
    await this.#held;
    this.#held = undefined;
  }

  async #wait(): Promise<true> {
    const last = this.answers.at(-1);
    const after = last ? { after: last.cursor } : {};
    this.answers.push(await this.#call('wait_for_my_turn', { wait: WAIT_SECONDS, ...after }));
    return true;
  }
}

/** Plays the mission over MCP while builder B waits whenever the next step is not its own. */
async function answersOfWaits(): Promise<readonly Json[]> {
  const clock = createVirtualClock();
  const { door, ...world } = await openWorld(await openMemory(), 'MCP', clock);
  onTestFinished(() => world.close());
  const mission = withAside(await loadMission('payment-capture'));
  const steps = PARTS.flatMap((part) => mission[part]);
  const waiters: Waiter[] = [];
  async function enter(pass: Parameters<typeof door.enter>[0]): Promise<CallTool> {
    const call = await door.enter(pass);
    waiters.push(new Waiter(call, clock)); // The waiter of agent_a, which joins first, is not used.
    return call;
  }
  await playIn({ ...world, door: { ...door, enter } }, mission, async ({ index }) => {
    const [, waiter] = waiters;
    await (steps[index + 1]?.by === 'agent_b' ? waiter?.works() : waiter?.waits());
  });
  return waiters[1]?.answers ?? [];
}

test('a builder over MCP that waits whenever others work gets 60 answers of 50,000 bytes in a whole mission', async () => {
  const answers = await answersOfWaits();
  expect(answers.at(-1)).toMatchObject({ status: 'ENDED' });
  expect(answers.length).toBeGreaterThan(40);
  expect(answers.length).toBeLessThanOrEqual(60);
  expect(Buffer.byteLength(JSON.stringify(answers))).toBeLessThanOrEqual(50_000);
  // The text of a directive is sent until the builder has answered the directive.
  expect(answers.filter((answer) => JSON.stringify(answer).includes(RULES))).toHaveLength(1);
  // An action is shown once, then named by its id, and the answer names the call that shows it whole.
  const whole = answers.flatMap(({ pending_actions = [] }) => Array.from(Object(pending_actions)));
  for (const { due = [], pending_actions = [], whole: how } of answers) {
    const shown = new Set(Array.from(Object(pending_actions), (action) => Object(action).action_id));
    const named = Array.from(Object(due), (call) => Object(call).action_id).filter((id) => id && !shown.has(id));
    expect(named.length > 0 && how === undefined).toBe(false);
  }
  expect(new Set(whole.map((action) => Object(action).action_id)).size).toBe(whole.length);
  // No answer is repeated: each shows a later cursor, or says that nothing came.
  for (const [index, { cursor, timed_out }] of answers.entries())
    expect({ index, isNews: timed_out === true || cursor !== answers[index - 1]?.cursor }).toEqual({
      index,
      isNews: true,
    });
});
