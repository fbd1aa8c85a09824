import { signal } from '@preact/signals';

const TICK_MS = 10_000;

/** The time in milliseconds since the epoch, updated every ten seconds. Used for texts such as `4 min ago`. */
export const clock = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') clock.value = Date.now();
}, TICK_MS);
