import { readFileSync } from 'node:fs';
import { createMemoryStorage, createParley } from '@parley/core';
import {
  type Agent,
  type CallTool,
  type Json,
  loadMission,
  type Mission,
  runMission,
  withModerator,
} from '@parley/missions';

/** Number of calls, and bytes of their results as JSON. Each result is counted once, although MCP sends it twice. */
interface Cost {
  readonly calls: number;
  readonly bytes: number;
}

export const COST_ROLES = ['agent_a', 'agent_b', 'moderator'] as const satisfies readonly Agent[];
type CostRole = (typeof COST_ROLES)[number];
export type Costs = Readonly<Record<CostRole, Cost>>;
type BuilderCosts = Pick<Costs, 'agent_a' | 'agent_b'>;

interface RecordedCosts {
  /** The costs in version 0.1.0. */
  readonly first: Costs;
  /** The costs that the repository records. Measured numbers of calls or bytes may be at most 5 % higher. */
  readonly recorded: Costs;
  /** The same for the mission of a light session, which has no moderator. */
  readonly light: BuilderCosts;
}

/** Path of the recorded costs, relative to the root of the workspace. */
export const COSTS_FILE = 'scripts/measure/agent-costs.json';

export function readRecordedCosts(): RecordedCosts {
  const costs: RecordedCosts = JSON.parse(readFileSync(COSTS_FILE, 'utf8'));
  return costs;
}

export interface AnsweredCall {
  readonly role: Agent;
  readonly tool: string;
  readonly bytes: number;
}

/**
 * Plays the mission payment-capture with a moderator, as `parley demo --moderator` does, and returns every call of an
 * agent.
 */
export const runAndCount = async (): Promise<readonly AnsweredCall[]> =>
  countedCalls(withModerator(await loadMission('payment-capture')));

/** Plays the mission of a light session, and returns every call of an agent. */
export const runLightAndCount = async (): Promise<readonly AnsweredCall[]> =>
  countedCalls(await loadMission('minor-units'));

async function countedCalls(mission: Mission): Promise<readonly AnsweredCall[]> {
  const storage = createMemoryStorage();
  const parley = await createParley({ storage });
  const answered: AnsweredCall[] = [];
  try {
    await runMission(mission, {
      owner: parley.owner('measured'),
      agents: async ({ code, role }) => {
        const { token } = await parley.redeem({ code });
        const call = parley.agent(token).call as CallTool; // A mission contains the names of tools as plain text.
        return async (tool: string, input: Json) => {
          const result = await call(tool, input);
          answered.push({ role, tool, bytes: Buffer.byteLength(JSON.stringify(result)) });
          return result;
        };
      },
    });
  } finally {
    await parley.close();
    await storage.close();
  }
  return answered;
}

export function sumCosts(calls: readonly AnsweredCall[]): Costs {
  const of = (wanted: CostRole): Cost => {
    const own = calls.filter(({ role }) => role === wanted);
    return { calls: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
  return { agent_a: of('agent_a'), agent_b: of('agent_b'), moderator: of('moderator') };
}

/** Returns one line for each role's number of calls or bytes that is more than 5 % above the recorded number. */
export function grownCosts(measured: Costs, recorded: Partial<Costs>): string[] {
  return COST_ROLES.flatMap((role) => {
    const before = recorded[role];
    if (!before) return [];
    return (['calls', 'bytes'] as const)
      .filter((figure) => measured[role][figure] > before[figure] * 1.05)
      .map((figure) => `${role}: ${measured[role][figure]} ${figure}, recorded are ${before[figure]}`);
  });
}
