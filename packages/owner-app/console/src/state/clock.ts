import { signal } from '@preact/signals';

const TICK_MS = 10_000;

/**
 * The time in milliseconds since the epoch, for texts such as `4 min ago`. While the page is visible, it is updated
 * every ten seconds.
 */
export const clock = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') clock.value = Date.now();
}, TICK_MS);
