import type { Prng } from './prng.ts';

/**
 * Maps each kind of fault to its probability at each opportunity. A fault with the probability 0 happens at planned
 * times, or lasts for the whole run.
 */
export const FAULTS = {
  crashBeforeAppend: 0.015,
  crashAfterAppend: 0.015,
  appendLost: 0.03,
  appendLanded: 0.03,
  appendLandsLate: 0.04,
  appendBusy: 0.06,
  appendSlow: 0.04,
  fetchFails: 0.02,
  storageSlow: 0.02,
  snapshotSpoilt: 0.3,
  hintLost: 0.4,
  hintDoubled: 0.2,
  hintEarly: 0.1,
  requestDuplicated: 0.08,
  requestDelayed: 0.06,
  answerLost: 0.08,
  clientLeaves: 0.1,
  cacheTiny: 0,
  clockSkew: 0,
  clockJump: 0,
  crash: 0,
  casStorm: 0,
  rollback: 0,
  revokedInPoll: 0,
  redeemedInPoll: 0,
} as const;

export type Fault = keyof typeof FAULTS;

/** The faults that are enabled in this run, and how often each has happened. */
export interface Faults {
  isOn(fault: Fault): boolean;
  /** Decides at random whether the fault happens now, and counts the fault if it does. */
  fires(fault: Fault): boolean;
  count(fault: Fault): void;
  readonly counts: ReadonlyMap<Fault, number>;
  /** While calm, no fault happens, as at the beginning and at the end of a run. */
  setCalm(isCalm: boolean): void;
}

const KINDS = Object.keys(FAULTS).filter((name): name is Fault => name in FAULTS);

export function createFaults(prng: Prng): Faults {
  const on = new Set(KINDS.filter(() => prng.chance(0.5)));
  const counts = new Map<Fault, number>();
  let isCalm = true;
  const count = (fault: Fault): void => void counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return {
    isOn: (fault) => on.has(fault),
    fires(fault) {
      if (isCalm || !on.has(fault) || !prng.chance(FAULTS[fault])) return false;
      count(fault);
      return true;
    },
    count,
    counts,
    setCalm: (value) => {
      isCalm = value;
    },
  };
}
