import type { Prng } from './prng.ts';

/** Every kind of fault and its probability at each opportunity; 0 for faults that a plan of the run schedules. */
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

/** The faults enabled in this run, their times, and their counts. */
export interface Faults {
  isOn(fault: Fault): boolean;
  /** Decides at random whether the fault happens here, and counts it. */
  fires(fault: Fault): boolean;
  count(fault: Fault): void;
  readonly counts: ReadonlyMap<Fault, number>;
  /** While calm, as at the opening and the end, no fault happens. */
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
