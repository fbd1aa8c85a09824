import { type Clock, type Owner, type Parley, systemClock } from '@parley/core';
import { type JoinedAgents, type Mission, PARTS, type Part, runMission } from '@parley/missions';

export interface HurryingClock extends Clock {
  /** Advances the clock, but not beyond the real time. */
  pass(ms: number): void;
}

/**
 * Creates a clock that advances 500 ms at each reading, and by `pass`, but never beyond the real time. So a session
 * that is played in seconds seems to take hours.
 */
export function createHurryingClock(start: number): HurryingClock {
  let now = start;
  const advance = (ms: number): number => {
    now = Math.min(now + ms, Date.now());
    return now;
  };
  return {
    now: () => advance(500),
    after: systemClock.after,
    pass: (ms) => void advance(ms),
  };
}

/** Returns the mission without the steps of `part` from `index` on, and without all later parts. */
export function upTo(mission: Mission, part: Part, index: number): Mission {
  const parts = PARTS.map((name) => {
    const rank = PARTS.indexOf(name) - PARTS.indexOf(part);
    return [name, rank < 0 ? mission[name] : rank === 0 ? mission[name].slice(0, index) : []];
  });
  return { ...mission, ...Object.fromEntries(parts) };
}

/** Returns the mission up to its first call `call` of the verification whose input has these members, without it. */
export const upToCall = (mission: Mission, call: string, members: Readonly<Record<string, unknown>> = {}): Mission =>
  upTo(
    mission,
    'verification',
    mission.verification.findIndex(
      (step) =>
        step.call === call && Object.entries(members).every(([member, value]) => Object(step.input)[member] === value),
    ),
  );

/** The mission with a contract that lets the owner carry each pass over. */
export function withCarry(mission: Mission): Mission {
  const [first, ...others] = mission.contract;
  const { contract, ...input } = Object(first?.input);
  const tests = Array.from(Object.values(contract.tests), (test) => {
    const { evidence_policy, ...rest } = Object(test);
    return { ...rest, evidence_policy: { ...evidence_policy, carry: 'owner' } };
  });
  return first
    ? { ...mission, contract: [{ ...first, input: { ...input, contract: { ...contract, tests } } }, ...others] }
    : mission;
}

export function play(parley: Parley, owner: Owner, mission: Mission): Promise<JoinedAgents> {
  const agents = async ({ code, role }: { code: string; role: string }) => {
    const { token } = await parley.redeem({ code, client_type: role === 'agent_b' ? 'codex' : 'claude-code' });
    return parley.agent(token).call;
  };
  return runMission(mission, { owner, agents });
}
