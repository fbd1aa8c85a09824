/** Milliseconds up to which the delay of a call explains a difference between two clocks. */
const DELAY_MS = 10_000;

/** How far an agent's clock differs from the service's clock, such as `about 42 s behind the service`. */
export function clockText(skewMs: number): string {
  if (Math.abs(skewMs) <= DELAY_MS) return 'agrees with the service';
  return `about ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service`;
}
