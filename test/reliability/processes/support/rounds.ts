export const isFull = process.env.PROCESS_ROUNDS === 'full';

export const rounds = (short: number, full: number): number => (isFull ? full : short);

export async function inLanes(lanes: number, task: (lane: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, (_, lane) => task(lane)));
}

/** Formats durations in milliseconds as median, 99th percentile and maximum. */
export function spread(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`;
}
