import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domain } from '../../src/areas/domain.ts';
import { PROFILE_NAMES, type ProfileName } from '../../src/areas/profiles.ts';
import { verifyLog } from '../../src/index.ts';
import { readEvent } from '../../src/kernel/log/event.ts';
import { foldedOn } from '../model/invariants/log.ts';
import { by } from '../model/starting-states.ts';
import { advance, commands, conclude, finish, type Run, startRun } from './run.ts';
import { seen } from './seen.ts';

/**
 * `MODEL_RUNS=50000` sets the number of sequences of calls; `MODEL_SEED=random` takes a new seed. A failure prints
 * values of `MODEL_SEED`, `MODEL_PATH` and `MODEL_REPLAY` that repeat the failed sequence. `MODEL_TALLY=1` prints how
 * often each call had each outcome.
 */
const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_TALLY } = process.env;
const FIXED_SEEDS = [20_261_121, 1_136_441_943];
const seedFrom = (text: string): number => (text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text));
const runs = Number(MODEL_RUNS ?? 2_000);
const seeds = MODEL_SEED === undefined ? FIXED_SEEDS : [seedFrom(MODEL_SEED)];
const MAX_COMMANDS = 25;

/**
 * The states from which sequences start:
 *
 * - `begun`: no handshake is declared;
 * - `declared`: both handshakes are declared;
 * - `failed`, `mended`, `awaiting`: t1 has failed; then its defect is fixed; then its second attempt awaits a verdict;
 * - `inDoubt`: t1 has passed and a new attempt of t1 is open, while t2, which depends on t1, awaits a verdict;
 * - `certified`: every check holds;
 * - `released`: the deployment is authorized;
 * - `stale`, `carried`: agent_a has declared another commit and what differs; then agent_b has carried t1 over;
 * - `acknowledged`, `asked`: agent_a has work to do, and has acknowledged a directive or been asked a question.
 */
function starts(profile: ProfileName): Readonly<Record<string, Run>> {
  const declared = startRun(profile);
  for (const who of ['agent_a', 'agent_b'] as const)
    advance(declared, by(who, 'verify_handshake', { ...HANDSHAKE, commit: `${who === 'agent_a' ? 'a' : 'b'}000000` }));
  const failed = { ...declared, calls: [...declared.calls] };
  advance(failed, by('agent_a', 'verify_start_attempt', { scenario_id: 't1' }));
  advance(failed, by('agent_b', 'verify_verify', { scenario_id: 't1', attempt: 1, verdict: 'FAIL' }));
  const mended = { ...failed, calls: [...failed.calls] };
  advance(mended, by('agent_b', 'verify_handshake', { ...HANDSHAKE, commit: 'c000000' }));
  advance(mended, by('agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'The lock.' }));
  const awaiting = { ...mended, calls: [...mended.calls] };
  advance(awaiting, by('agent_a', 'verify_start_attempt', { scenario_id: 't1' }));
  const inDoubt = { ...declared, calls: [...declared.calls] };
  advance(inDoubt, by('agent_a', 'verify_start_attempt', { scenario_id: 't1' }));
  for (const who of ['agent_a', 'agent_b'] as const)
    advance(inDoubt, by(who, 'verify_submit_evidence', { ...EVIDENCE, attempt: 1 }));
  advance(inDoubt, by('agent_b', 'verify_verify', { scenario_id: 't1', attempt: 1, verdict: 'PASS' }));
  advance(inDoubt, by('agent_b', 'verify_start_attempt', { scenario_id: 't2' }));
  for (const who of ['agent_a', 'agent_b'] as const) {
    advance(awaiting, by(who, 'verify_submit_evidence', EVIDENCE));
    advance(inDoubt, by(who, 'verify_submit_evidence', { ...EVIDENCE, scenario_id: 't2', attempt: 1 }));
  }
  advance(inDoubt, by('agent_a', 'verify_start_attempt', { scenario_id: 't1' }));
  const certified = { ...declared, calls: [...declared.calls] };
  finish(certified);
  const released = { ...certified, calls: [...certified.calls] };
  advance(released, by('owner', 'authorize', { stage: 'deployment' }));
  const stale = { ...certified, calls: [...certified.calls] };
  const changes = { a000000: ['README.md'] };
  advance(stale, by('agent_a', 'verify_handshake', { ...HANDSHAKE, commit: 'e000000', changes }));
  const carried = { ...stale, calls: [...stale.calls] };
  const pass = { scenario_id: 't1', attempt: 1, verdict: 'CARRY', commit: 'e000000', note: 'A text only.' };
  advance(carried, by('agent_b', 'verify_verify', pass));
  const acknowledged = { ...declared, calls: [...declared.calls] };
  advance(acknowledged, by('owner', 'direct', { targets: ['agent_a'], text: 'Keep the logs.' }));
  advance(acknowledged, by('agent_a', 'ack_intervention', { intervention_id: 'i_1' }));
  const asked = { ...declared, calls: [...declared.calls] };
  const questions = [{ text: 'Which port?', to: 'agent_a' }];
  advance(asked, by('agent_b', 'answer_question', { question_id: '', answer: '', questions }));
  const others = { stale, carried, acknowledged, asked };
  return { begun: startRun(profile), declared, failed, mended, awaiting, inDoubt, certified, released, ...others };
}

const HANDSHAKE = {
  service: 'api',
  version: '1.0.0',
  environment: 'staging',
  ready: true,
  dependencies_healthy: true,
};

const EVIDENCE = {
  scenario_id: 't1',
  attempt: 2,
  kind: 'log',
  claim: 'It holds.',
  summary: 'Seen.',
  request_id: 'run-0',
};

describe('any sequence of verification calls', () => {
  const tally = new Map<string, number>();
  const STARTS = PROFILE_NAMES.map((profile) => starts(profile));

  test.each(seeds)('keeps every promise: seed %i', async (seed) => {
    const property = fc.asyncProperty(
      fc.constantFrom(...STARTS.flatMap((each) => Object.entries(each))),
      commands(MAX_COMMANDS, MODEL_REPLAY),
      fc.nat(7),
      async ([, start], sequence, n) => {
        const run: Run = { ...start, calls: [...start.calls], tally };
        fc.modelRun(() => ({ model: run, real: run }), sequence);
        if (n === 0) await holdAgainstLog(run);
        if (n === 1 && run.now.status !== 'ENDED') conclude(run);
      },
    );
    const path = MODEL_PATH === undefined ? {} : { path: MODEL_PATH };
    await fc.assert(property, { seed, numRuns: Math.ceil(runs / seeds.length), ...path });
    if (MODEL_TALLY)
      console.log(
        [...tally]
          .sort()
          .map((entry) => entry.join(': '))
          .join('\n'),
      );
  });
});

/** Verifies the log, and expects the same views when it is folded again, from its first event and from a snapshot. */
async function holdAgainstLog({ world, now }: Run): Promise<void> {
  expect(await verifyLog(world.log, world.state.head)).toMatchObject({ ok: true });
  const state = world.log.map(readEvent).reduce(domain.evolve, domain.empty(world.state.sessionId));
  for (const folded of [state, await foldedOn(world)]) {
    const anew = seen({ ...world, state: folded });
    expect(anew.board()).toEqual(now.board());
    expect(anew.items('agent_b')).toEqual(now.items('agent_b'));
  }
}
