import type { CallTool } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatherIn, overMcp, type SeatedCast, type World } from '../support/world.ts';

const COUNT = 30;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
const position = (number: number): string => `${number} ${'p'.repeat(3_900)}`;
const evidence = (number: number) => [{ kind: 'log', reference: `run ${number}`, excerpt: `Try ${number}.` }];

/**
 * Proposes several positions on one topic, each of which supersedes the previous position. Also proposes a decision
 * that is rejected.
 */
async function supersedeAll({ agents }: SeatedCast): Promise<void> {
  for (const number of numbers) {
    const proposal = { topic: 'Page size', position: position(number), evidence: evidence(number) };
    await agents[number % 2 === 0 ? 'agent_a' : 'agent_b']('submit_decision', proposal);
  }
  const proposed_decisions = [{ topic: 'Cursor', position: 'Opaque.', evidence: evidence(0) }];
  await agents.agent_a('post_turn', { summary: 'One.', proposed_decisions });
  await agents.agent_b('reject_decision', { decision_id: 'd_31', reason: 'It cannot be resumed.' });
}

const readDecision = async (agent: CallTool, decision_id: string): Promise<unknown> =>
  Object(await agent('list_decisions', { decision_id })).decisions[0];

describe('decisions closed without effect', () => {
  const { open } = overMcp();
  let world: World;
  let cast: SeatedCast;
  let reader: CallTool;
  let beforeTheRestart: unknown;
  beforeAll(async () => {
    const first = await open();
    cast = await gatherIn(first);
    await supersedeAll(cast);
    beforeTheRestart = await readDecision(cast.agents.agent_a, 'd_1');
    await first.close();
    world = await open();
    reader = await world.door.enter(cast.passes.agent_b);
  });
  afterAll(() => world.close());

  test('are listed without their texts', async () => {
    const { decisions } = Object(await reader('list_decisions', {}));
    expect(decisions).toHaveLength(31);
    expect(decisions[0]).toMatchObject({ decision_id: 'd_1', status: 'SUPERSEDED' });
    expect(decisions[0]).not.toHaveProperty('position');
    expect(decisions[29]).toMatchObject({ decision_id: 'd_30', status: 'PROPOSED', position: position(30) });
  });

  test('are read whole by their ids, before a restart and after it', async () => {
    expect(beforeTheRestart).toMatchObject({ position: position(1), evidence: evidence(1) });
    for (const number of numbers)
      expect(await readDecision(reader, `d_${number}`)).toMatchObject({
        position: position(number),
        evidence: evidence(number),
      });
    expect(await readDecision(reader, 'd_31')).toMatchObject({
      status: 'REJECTED',
      reason: 'It cannot be resumed.',
      position: 'Opaque.',
      evidence: evidence(0),
    });
  });

  test('are listed for the owner without their texts, and read whole by their ids', async () => {
    const { decisions } = Object(await world.owner.call('view', cast.sessionId, {}));
    expect(decisions[30]).toMatchObject({ topic: 'Cursor', status: 'REJECTED', position: null, evidence: [] });
    const { records } = Object(await world.owner.call('records', cast.sessionId, { type: 'decision', id: 'd_1' }));
    expect(records).toMatchObject([{ topic: 'Page size', position: position(1), evidence: evidence(1) }]);
  });
});
