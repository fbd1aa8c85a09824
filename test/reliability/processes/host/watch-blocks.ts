import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Block } from './host-options.ts';

const TICK_MS = 5;

/** Watches the event loop of this process. The returned function returns the longest block since its previous call. */
export function watchBlocks(): () => Block {
  const histogram = monitorEventLoopDelay({ resolution: TICK_MS });
  histogram.enable();
  let last = { at: performance.now(), cpu: process.cpuUsage() };
  let longest = { wallMs: 0, busyMs: 0 };

  setInterval(() => {
    const now = { at: performance.now(), cpu: process.cpuUsage() };
    const wallMs = now.at - last.at - TICK_MS;
    const used = process.cpuUsage(last.cpu);
    const busyMs = Math.min(wallMs, (used.user + used.system) / 1000);
    longest = { wallMs: Math.max(longest.wallMs, wallMs), busyMs: Math.max(longest.busyMs, busyMs) };
    last = now;
  }, TICK_MS).unref();

  return () => {
    const block = { ...longest, histogramMs: histogram.max / 1e6 };
    histogram.reset();
    longest = { wallMs: 0, busyMs: 0 };
    return block;
  };
}
