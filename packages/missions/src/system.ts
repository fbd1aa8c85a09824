import type { ToolOutput } from '@parley/core/client';
import { z } from 'zod';
import type { Builder, Mission, Step } from './mission.ts';
import type { CallTool, Json } from './transport.ts';

/** One attempt of a scenario, as the mission's script describes it: the evidence of both builders, and the verdict. */
interface Run {
  readonly requestId: string;
  readonly shows: Readonly<Record<Builder, readonly Json[]>>;
  readonly judgement: Json;
  /** The build that fixes the fault of a failed attempt, and the note about the fix. Undefined for a passed attempt. */
  readonly mend: Mend | undefined;
}

interface Mend {
  readonly build: Json;
  readonly note: string;
}

/**
 * The two services of a mission, as the agents observe them. A fault is visible in the evidence until the build that
 * fixes it is deployed.
 */
interface System {
  /**
   * Deploys the first build of a builder, or the build that fixes the fault of a scenario. Returns the handshake for
   * that build.
   */
  deploy(role: Builder, scenarioId: string | undefined): Json;
  /** Starts an attempt, and returns its number. */
  start(scenarioId: string): number;
  /** Returns the next piece of evidence that a builder gives for an attempt. */
  look(role: Builder, scenarioId: string, attempt: number): Json;
  /** Returns the verdict on an attempt, for the agent that did not start the attempt. */
  judge(scenarioId: string): Json;
  /** Returns the builder's note about how it has fixed the scenario's fault. */
  note(scenarioId: string): string;
}

/**
 * Creates the services from the verification steps of a mission.
 *
 * @throws Error if a step gives evidence or a verdict without an attempt, or a fix without a defect or a build. Later,
 * a function of the system throws an Error if the mission contains no data for its result
 */
export function createSystem(mission: Mission): System {
  const { first, runs } = runsOf(mission);
  const deployed = new Set<unknown>();
  const seen = new Map<string, number>();
  const attempts = new Map<string, number>();
  const runOf = (scenarioId: string): Run =>
    known(
      runs.get(scenarioId)?.find(({ mend }) => !mend || !deployed.has(mend.build.commit)),
      scenarioId,
    );
  return {
    deploy(role, scenarioId) {
      const build = scenarioId === undefined ? first[role] : runOf(scenarioId).mend?.build;
      deployed.add(known(build, `a build of ${role}`).commit);
      return known(build, `a build of ${role}`);
    },
    start(scenarioId) {
      const attempt = (attempts.get(scenarioId) ?? 0) + 1;
      attempts.set(scenarioId, attempt);
      return attempt;
    },
    look(role, scenarioId, attempt) {
      const key = `${scenarioId}/${attempt}/${role}`;
      const index = seen.get(key) ?? 0;
      seen.set(key, index + 1);
      const { shows, requestId } = runOf(scenarioId);
      return { ...known(shows[role][index], `item ${index + 1} of ${key}`), request_id: `${requestId}-${attempt}` };
    },
    judge: (scenarioId) => runOf(scenarioId).judgement,
    note(scenarioId) {
      const mends = (runs.get(scenarioId) ?? []).flatMap(({ mend }) => mend ?? []);
      const mend = mends.findLast(({ build }) => deployed.has(build.commit)) ?? mends[0];
      return known(mend, `a build that fixes ${scenarioId}`).note;
    },
  };
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The verification steps of the mission do not contain ${what}.`);
  return value;
}

const Others = z.array(z.record(z.string(), z.unknown())).default([]);

/** The steps of the verification, with each scenario of a call in a step of its own. */
export const singleSteps = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => {
    const { others, ...input } = step.input;
    return [input, ...Others.parse(others)].map((one) => ({ ...step, input: one }));
  });

type Draft = { -readonly [member in keyof Run]: Run[member] } & {
  readonly scenarioId: string;
  readonly isMeaningful: boolean;
};

const Started = z.object({ scenario_id: z.string() });
const Shown = z.array(z.looseObject({ request_id: z.string() })).default([]);
const Fixed = z.object({ defect_id: z.string(), note: z.string() });

/**
 * Adds evidence to an attempt. In a mission, a builder sends evidence by a separate call, or in the call that starts
 * the attempt or gives the verdict.
 */
function addEvidence(run: Draft, by: Builder, items: unknown): void {
  for (const { request_id, ...item } of Shown.parse(items)) {
    run.requestId = request_id;
    run.shows = { ...run.shows, [by]: [...run.shows[by], item] };
  }
}

/**
 * Reads the attempts of each scenario from the verification steps of a mission, which may start the attempts in any
 * order. Attempts during which a service was not ready are left out.
 */
function runsOf({ verification, session }: Mission) {
  const first: Partial<Record<Builder, Json>> = {};
  const running: Partial<Record<Builder, Json>> = {};
  const open = new Map<string, Draft>();
  const judged: Draft[] = [];
  const failed: Draft[] = [];
  const take: Readonly<Record<string, (by: Builder, input: Json) => void>> = {
    verify_handshake(by, input) {
      first[by] ??= input;
      running[by] = input;
    },
    verify_start_attempt(by, input) {
      const { scenario_id: scenarioId } = Started.parse(input);
      const isMeaningful = Object.values(running).every((build) => isReady(build, session.fixture_version));
      const shows = { agent_a: [], agent_b: [] };
      const run: Draft = { scenarioId, isMeaningful, requestId: '', shows, judgement: {}, mend: undefined };
      open.set(scenarioId, run);
      addEvidence(run, by, input.evidence);
    },
    verify_submit_evidence(by, { scenario_id, attempt: _, ...item }) {
      addEvidence(known(open.get(String(scenario_id)), String(scenario_id)), by, [item]);
    },
    verify_verify(by, { scenario_id, attempt: _, evidence, ...judgement }) {
      const run = known(open.get(String(scenario_id)), String(scenario_id));
      addEvidence(run, by, evidence);
      run.judgement = judgement;
      judged.push(run);
      if (judgement.verdict === 'FAIL') failed.push(run);
    },
    verify_submit_fix(by, input) {
      const { defect_id, note } = Fixed.parse(input);
      const run = known(failed[Number(defect_id.slice('def_'.length)) - 1], defect_id);
      run.mend = { build: known(running[by], `a build of ${by}`), note };
    },
  };
  for (const { by, call, input } of singleSteps(verification))
    if (by === 'agent_a' || by === 'agent_b') take[call]?.(by, input);
  return { first, runs: byScenario(judged) };
}

/**
 * Returns the attempts of each scenario: first the failed attempts whose fault is fixed later, then the last PASS.
 * Leaves out attempts that began while a service was not ready, and failed attempts whose fault no build fixes.
 */
function byScenario(judged: readonly Draft[]): ReadonlyMap<string, readonly Run[]> {
  const kept = judged.filter(
    ({ isMeaningful, judgement, mend }) => isMeaningful && (judgement.verdict === 'PASS' || mend),
  );
  const faults = kept.filter(({ mend }) => mend);
  const passes = new Map(kept.filter(({ mend }) => !mend).map((run) => [run.scenarioId, run]));
  return new Map(
    [...passes].map(([id, pass]) => [id, [...faults.filter(({ scenarioId }) => scenarioId === id), pass]]),
  );
}

/**
 * Whether attempts with this build are kept: the build is ready, its dependencies are healthy, and it uses the
 * session's fixtures.
 */
const isReady = ({ ready, dependencies_healthy, fixture_version }: Json, fixtures: string): boolean =>
  ready === true && dependencies_healthy === true && (fixture_version ?? fixtures) === fixtures;

type Item = ToolOutput<'verify_next'>['items'][number];

/** Whether the bot made a call or first saw that the build is authorized, and the phase that it read before. */
export interface Acted {
  readonly acted: boolean;
  readonly phase: string;
}

/**
 * Makes the first call in the list of `verify_next`, with its tool, route and payload. If the call takes further items of the list,
 * sends them in its `others`. Each placeholder `<…>` in the payloads is replaced by data from `system`. The address of a service is
 * left out if its build names none.
 */
export async function actOnNext(agent: CallTool, role: Builder, system: System): Promise<Acted> {
  const { items, phase } = await agent('verify_next');
  const [item, ...rest] = items;
  if (!item) return { acted: false, phase };
  const { tool, route } = item;
  const filled = (one: Item): Json => filledIn(one.payload, valuesFor(one, role, system));
  const others = rest.filter((other) => isTogether(item, other)).slice(0, BESIDE.get(item.tool) ?? 0);
  await agent(tool, { ...filled(item), ...(others.length > 0 && { others: others.map(filled) }) }, { route });
  return { acted: true, phase };
}

/** The tools that take further scenarios in `others`, with the most that the schema of their input allows. */
const BESIDE: ReadonlyMap<string, number> = new Map([
  ['verify_start_attempt', 19],
  ['verify_verify', 19],
]);

const isTogether = (item: Item, other: Item): boolean => other.tool === item.tool && other.payload.verdict !== 'CARRY';

function valuesFor({ tool, payload, scenario_id = '', reason }: Item, role: Builder, system: System): Json {
  const evidence = (attempt: number): Json =>
    'evidence' in payload ? { evidence: evidenceOf(payload, () => system.look(role, scenario_id, attempt)) } : {};
  switch (tool) {
    case 'verify_handshake':
      return { address: undefined, ...system.deploy(role, scenario_id || undefined) };
    case 'verify_submit_evidence':
      return system.look(role, scenario_id, z.int().parse(payload.attempt));
    case 'verify_verify':
      return { ...system.judge(scenario_id), ...evidence(z.int().parse(payload.attempt)) };
    case 'verify_submit_fix':
      return { note: system.note(scenario_id) };
    case 'verify_start_attempt':
      return evidence(system.start(scenario_id));
    case 'ack_intervention':
      return {};
    case 'complete_action':
      return { note: 'Every gate holds.' };
    case 'answer_question':
      return { answer: 'As the contract says.' };
    case 'answer_intervention':
      return { text: 'As the contract says.' };
    default:
      throw new Error(`The instruction to ${role} names ${tool}, which the bots do not implement: ${reason}`);
  }
}

/** Makes the evidence for an attempt: each evidence draft of the payload, completed with what `look` returns. */
const evidenceOf = ({ evidence }: Json, look: () => Json): Json[] =>
  z
    .array(z.record(z.string(), z.unknown()))
    .parse(evidence)
    .map((draft) => filledIn(draft, look()));

/**
 * Whether a value is a placeholder, or a list that contains a placeholder. An empty list counts as a placeholder: it is
 * the list of assertions, which the agent fills in from what it observes.
 */
function isOpen(value: unknown): boolean {
  if (typeof value === 'string') return /^<.*>$/.test(value);
  return Array.isArray(value) && (value.length === 0 || value.some((each) => Object.values(Object(each)).some(isOpen)));
}

function filledIn(payload: Json, values: Json): Json {
  const members = Object.entries(payload).map(([name, value]) => {
    if (!isOpen(value)) return [name, value] as const;
    if (typeof value === 'string' && !Object.hasOwn(values, name))
      throw new Error(`No value is known for the placeholder ${name}: ${value}.`);
    return [name, Object.hasOwn(values, name) ? values[name] : value] as const;
  });
  return Object.fromEntries(members);
}
