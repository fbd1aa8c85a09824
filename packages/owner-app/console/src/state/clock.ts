import { signal } from '@preact/signals';
import { serverNow } from '../../../src/text/time.ts';

const TICK_MS = 10_000;

/**
 * The time of the server in milliseconds since the epoch, for texts such as `4 min ago`. While the page is visible, it is updated
 * every ten seconds.
 */
export const clock = signal(serverNow());

setInterval(() => {
  if (document.visibilityState === 'visible') clock.value = serverNow();
}, TICK_MS);
