import { z } from 'zod';
import type { Builder, Mission, Step } from './mission.ts';
import type { Json } from './transport.ts';

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
export interface System {
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
