/** How far an agent's clock differs from the service's clock, such as `435 ms behind the service`. */
export function clockText(skewMs: number): string {
  if (skewMs === 0) return 'equal to that of the service';
  return `${Math.abs(skewMs)} ms ${skewMs > 0 ? 'ahead of' : 'behind'} the service`;
}
