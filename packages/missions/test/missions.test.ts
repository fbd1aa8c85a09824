import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadMission, MISSION_NAMES, Mission, PARTS, type Step, withModerator } from '../src/index.ts';
import { singleSteps } from '../src/system.ts';

const folder = new URL('..', import.meta.url);

const BUILDERS = ['agent_a', 'agent_b'];
const Attempt = z.object({ scenario_id: z.string(), attempt: z.int(), verdict: z.enum(['PASS', 'FAIL']) });
const Ids = z.array(z.object({ id: z.string(), requirements: z.array(z.string()).optional() }));
const Targets = z.object({ decisions: z.array(z.string()), tasks: Ids, tests: Ids, gates: Ids.default([]) });
const Names = z.array(z.string());
const Mappings = z.array(
  z.object({ requirement_id: z.string(), decisions: Names, tasks: Names, tests: Names, gates: Names }),
);

test('the list of missions contains every file of the folder', async () => {
  const files = await readdir(folder);
  const missions = files.filter((name) => name.endsWith('.json') && !/^(package|tsconfig.*)\.json$/.test(name));
  expect(missions.sort()).toEqual([
    'minor-units.json',
    'offline-sync.json',
    'payment-capture.json',
    'signed-webhooks.json',
  ]);
  expect([...MISSION_NAMES].sort()).toEqual(['minor-units', 'offline-sync', 'payment-capture', 'signed-webhooks']);
});

test('a mission with an unknown member is refused by name', async () => {
  const text = await readFile(new URL('payment-capture.json', folder), 'utf8');
  const wrong = { ...JSON.parse(text), moral: 'retry less' };
  expect(() => Mission.parse(wrong)).toThrow('moral');
});

describe.each(MISSION_NAMES)('the mission %s', (name) => {
  test('is named after its file', async () => {
    expect((await loadMission(name)).mission).toBe(name);
  });

  test('alternates its turns, beginning with first_turn', async () => {
    const { session, discussion } = await loadMission(name);
    const speakers = discussion.filter(({ call }) => call === 'post_turn').map(({ by }) => by);
    const second = session.first_turn === 'agent_a' ? 'agent_b' : 'agent_a';
    expect(speakers).toEqual(speakers.map((_, index) => (index % 2 === 0 ? session.first_turn : second)));
  });

  test('names only records that an earlier step has created', async () => {
    expect(idsNamedTooEarly(stepsOf(await loadMission(name)))).toEqual([]);
  });

  test('maps every requirement to targets of its contract, and every resolved decision is in it', async () => {
    const { session, contract, outcome } = await loadMission(name);
    const submitted = contract.find(({ call }) => call === 'submit_contract')?.input;
    const preflight = contract.find(({ call }) => call === 'submit_preflight')?.input;
    const { decisions, tasks, tests, gates } = Targets.parse(submitted?.contract);
    const resolved = Object.keys(outcome.decisions).filter((id) => outcome.decisions[id] === 'RESOLVED');
    expect(decisions).toEqual(resolved);
    const known = new Set([...decisions, ...[...tasks, ...tests, ...gates].map(({ id }) => id)]);
    if (!preflight) {
      const named = new Set([...tasks, ...tests].flatMap(({ requirements }) => requirements ?? []));
      expect(session.requirements.filter(({ requirement_id }) => !named.has(requirement_id))).toEqual([]);
      return;
    }
    const mappings = Mappings.parse(preflight.mappings);
    expect(mappings.map(({ requirement_id }) => requirement_id)).toEqual(
      session.requirements.map(({ requirement_id }) => requirement_id),
    );
    const named = mappings.flatMap((mapping) => [
      ...mapping.decisions,
      ...mapping.tasks,
      ...mapping.tests,
      ...mapping.gates,
    ]);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  test('runs every test of its last contract, with evidence of both agents under one correlation id', async () => {
    const { verification, outcome } = await loadMission(name);
    const judged = singleSteps(verification)
      .filter(({ call }) => call === 'verify_verify')
      .map(({ input }) => Attempt.parse(input));
    const passed = judged.filter(({ verdict }) => verdict === 'PASS');
    expect([...new Set(passed.map(({ scenario_id }) => scenario_id))].sort()).toEqual(
      Object.keys(outcome.scenarios).sort(),
    );
    for (const { scenario_id, attempt } of judged) {
      const evidence = evidenceIn(singleSteps(verification)).filter(
        (item) => item.scenario_id === scenario_id && item.attempt === attempt,
      );
      expect(new Set(evidence.map(({ by }) => by)), `${scenario_id}/${attempt}`).toEqual(new Set(BUILDERS));
      expect(new Set(evidence.map(({ request_id }) => request_id)).size, `${scenario_id}/${attempt}`).toBe(1);
    }
  });

  test('declares full commit hashes, different ones for both sides', async () => {
    const { verification } = await loadMission(name);
    const declared = verification.filter(({ call }) => call === 'verify_handshake');
    const commits = declared.map(({ by, input }) => `${by} ${String(input.commit)}`);
    expect(commits.filter((commit) => !/^agent_[ab] [0-9a-f]{40}$/.test(commit))).toEqual([]);
    const distinct = [...new Set(commits)].map((commit) => commit.slice('agent_a '.length));
    expect(new Set(distinct).size).toBe(distinct.length);
  });

  test('keeps every excerpt at or below 600 characters', async () => {
    const excerpts = [...excerptsIn(stepsOf(await loadMission(name)))];
    expect(excerpts.length).toBeGreaterThan(0);
    expect(excerpts.filter((excerpt) => excerpt.length > 600)).toEqual([]);
  });
});

/** Returns the evidence in the steps, which is in separate calls, in starts of attempts and in verdicts. */
function evidenceIn(steps: readonly Step[]) {
  const starts = new Map<unknown, number>();
  return steps.flatMap(({ by, call, input: { scenario_id, attempt, evidence, request_id } }) => {
    if (call === 'verify_submit_evidence') return [{ by, scenario_id, attempt, request_id }];
    if (call === 'verify_start_attempt') starts.set(scenario_id, (starts.get(scenario_id) ?? 0) + 1);
    const items = z.array(z.looseObject({ request_id: z.string() })).parse(evidence ?? []);
    return items.map((item) => ({
      by,
      scenario_id,
      attempt: attempt ?? starts.get(scenario_id),
      request_id: item.request_id,
    }));
  });
}

describe('a mission with its moderator', () => {
  test('names only records that an earlier step has created, and keeps the steps that no insertion replaces', async () => {
    const plain = await loadMission('payment-capture');
    const moderated = withModerator(plain);
    expect(idsNamedTooEarly(stepsOf(moderated))).toEqual([]);
    const kept = stepsOf(moderated).filter((step) => stepsOf(plain).includes(step));
    expect(stepsOf(plain).filter((step) => !kept.includes(step))).toEqual(plain.contract.slice(7));
    expect(kept).toEqual(stepsOf(plain).filter((step) => kept.includes(step)));
    expect(moderated.outcome).toMatchObject({
      turns: 5,
      revision: { revision_id: 'r_3' },
      findings: { f_3: 'RESOLVED', f_4: 'OPEN' },
    });
  });

  test('is refused if an insertion is after the last step of its part', async () => {
    const mission = await loadMission('payment-capture');
    const shorter = { ...mission, discussion: mission.discussion.slice(0, 12) };
    expect(() => withModerator(shorter)).toThrow(
      'An insertion of payment-capture is before step 13 of discussion, which has 12 steps.',
    );
  });

  test('is refused if the mission has no part for a moderator', async () => {
    const mission = await loadMission('offline-sync');
    expect(() => withModerator(mission)).toThrow('The mission offline-sync has no part for a moderator.');
  });
});

const stepsOf = (mission: Mission): Step[] => PARTS.flatMap((part) => mission[part]);

/** Returns the ids that a step uses before a step has created them. */
function idsNamedTooEarly(steps: readonly Step[]): string[] {
  const known = new Set<string>();
  const counts = { q: 0, d: 0, i: 0, act: 0, r: 0, f: 0, def: 0, rec: 0 };
  return steps.flatMap((step) => {
    const unknown = [...namedIds(step)].filter((id) => !known.has(id));
    for (const kind of createdKinds(step)) {
      counts[kind] += 1;
      known.add(`${kind}_${counts[kind]}`);
    }
    return unknown;
  });
}

const ID_MEMBERS =
  /"(?:question_id|decision_id|intervention_id|action_id|revision_id|related_decision_id|expected_parent_id|finding_id|defect_id|recommendation_id)":"([a-z]+_\d+)"/g;

function* namedIds({ input }: Step): Generator<string> {
  for (const [, id] of JSON.stringify(input).matchAll(ID_MEMBERS)) if (id) yield id;
  for (const id of listIn(input, 'acknowledged_directives')) yield String(id);
}

type Kind = 'q' | 'd' | 'i' | 'act' | 'r' | 'f' | 'def' | 'rec';

function createdKinds({ call, input }: Step): Kind[] {
  if (call === 'submit_decision') return ['d'];
  if (call === 'submit_contract' || call === 'patch_contract') return ['r'];
  if (call === 'submit_finding' || call === 'submit_moderator_finding') return ['f'];
  if (call === 'recommend_to_owner') return ['rec'];
  if (call === 'verify_verify') return input.verdict === 'FAIL' ? ['def'] : [];
  if (call === 'ask' || call === 'ask_agent') return ['i'];
  if (call === 'assignAction') return ['act'];
  if (call === 'direct') return ['i', ...listIn(input, 'targets').map((): Kind => 'act')];
  return [
    ...listIn(input, 'questions').map((): Kind => 'q'),
    ...listIn(input, 'proposed_decisions').map((): Kind => 'd'),
  ];
}

function listIn(input: Step['input'], member: string): readonly unknown[] {
  const value = input[member];
  return Array.isArray(value) ? value : [];
}

function* excerptsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [member, inner] of Object.entries(value)) {
    if (member === 'excerpt') yield String(inner);
    else yield* excerptsIn(inner);
  }
}

const EXECUTORS = {
  'v-cursor-skips-nothing': 'agent_b',
  'v-retries-book-once': 'agent_a',
  'v-key-change': 'agent_a',
  'v-vectors': 'agent_b',
};

/**
 * Each row: a kind of fault, a mission, a scenario with this fault, and the builders whose evidence shows the fault.
 */
test.each([
  ['a failing assertion of the executor', 'offline-sync', 'v-cursor-skips-nothing', ['agent_b']],
  ['what only the other side sees', 'payment-capture', 'v-retries-book-once', ['agent_b']],
  ['what only the other side sees, in the middle', 'signed-webhooks', 'v-key-change', ['agent_b']],
  ['other fixtures than agreed', 'signed-webhooks', 'v-vectors', ['agent_b']],
] as const)('%s fails a scenario of %s: %s', async (_what, name, id, sides) => {
  const { verification } = await loadMission(name);
  const executor = verification.find(({ call, input }) => call === 'verify_start_attempt' && input.scenario_id === id);
  const failing = verification.filter(
    (step) =>
      (step === executor || (step.input.scenario_id === id && step.input.attempt === 1)) &&
      JSON.stringify(step.input).includes('"passed":false'),
  );
  expect([...new Set(failing.map(({ by }) => by))]).toEqual(sides);
  expect(executor?.by).toBe(EXECUTORS[id]);
  const verdict = verification.find(({ call, input }) => call === 'verify_verify' && input.scenario_id === id);
  expect(verdict?.input.verdict).toBe('FAIL');
});
