import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadMission, MISSION_NAMES, Mission, type MissionName, PARTS, type Step } from '../src/index.ts';

const folder = new URL('..', import.meta.url);

const Ids = z.array(z.object({ id: z.string() }));
const Targets = z.object({ decisions: z.array(z.string()), tasks: Ids, tests: Ids, gates: Ids });
const Names = z.array(z.string());
const Mappings = z.array(
  z.object({ requirement_id: z.string(), decisions: Names, tasks: Names, tests: Names, gates: Names }),
);

test('the list of missions holds every file of the folder', async () => {
  const files = await readdir(folder);
  const missions = files.filter((name) => name.endsWith('.json') && !/^(package|tsconfig.*)\.json$/.test(name));
  expect(missions.sort()).toEqual(['offline-sync.json', 'payment-capture.json', 'signed-webhooks.json']);
  expect([...MISSION_NAMES].sort()).toEqual(['offline-sync', 'payment-capture', 'signed-webhooks']);
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
    const known = new Set<string>();
    const counts = { q: 0, d: 0, i: 0, act: 0, r: 0, f: 0 };
    for (const step of await stepsOf(name)) {
      expect([...namedIds(step)].filter((id) => !known.has(id))).toEqual([]);
      for (const kind of createdKinds(step)) {
        counts[kind] += 1;
        known.add(`${kind}_${counts[kind]}`);
      }
    }
  });

  test('maps every requirement to targets of its contract, and every resolved decision is in it', async () => {
    const { session, contract, outcome } = await loadMission(name);
    const [submitted, preflight] = contract.map(({ input }) => input);
    const { decisions, tasks, tests, gates } = Targets.parse(submitted?.contract);
    const resolved = Object.keys(outcome.decisions).filter((id) => outcome.decisions[id] === 'RESOLVED');
    expect(decisions).toEqual(resolved);
    const known = new Set([...decisions, ...[...tasks, ...tests, ...gates].map(({ id }) => id)]);
    const mappings = Mappings.parse(preflight?.mappings);
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

  test('keeps every excerpt at or below 600 characters', async () => {
    const excerpts = [...excerptsIn(await stepsOf(name))];
    expect(excerpts.length).toBeGreaterThan(0);
    expect(excerpts.filter((excerpt) => excerpt.length > 600)).toEqual([]);
  });
});

async function stepsOf(name: MissionName): Promise<Step[]> {
  const mission = await loadMission(name);
  return PARTS.flatMap((part) => mission[part]);
}

const ID_MEMBERS =
  /"(?:question_id|decision_id|intervention_id|action_id|revision_id|expected_parent_id|finding_id)":"([a-z]+_\d+)"/g;

function* namedIds({ input }: Step): Generator<string> {
  for (const [, id] of JSON.stringify(input).matchAll(ID_MEMBERS)) if (id) yield id;
  for (const id of listIn(input, 'acknowledged_directives')) yield String(id);
}

type Kind = 'q' | 'd' | 'i' | 'act' | 'r' | 'f';

function createdKinds({ call, input }: Step): Kind[] {
  if (call === 'submit_decision') return ['d'];
  if (call === 'submit_contract' || call === 'patch_contract') return ['r'];
  if (call === 'submit_finding') return ['f'];
  if (call === 'ask') return ['i'];
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
