const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** A duration in its largest whole unit: `4 s`, `47 min`, `3 h`, `2 d`. For a negative duration, `0 s`. */
export function durationText(ms: number): string {
  const [size, unit] = UNITS.find(([atLeast]) => ms >= atLeast) ?? [1_000, 's'];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}

/** The time since `at`, such as `47 min`. `-` if `at` is not a time. */
export function ageText(at: string, nowMs: number): string {
  const then = Date.parse(at);
  return Number.isNaN(then) ? '-' : durationText(nowMs - then);
}

/** The time since `at`, such as `47 min ago`. */
export const agoText = (at: string, nowMs: number): string => `${ageText(at, nowMs)} ago`;
