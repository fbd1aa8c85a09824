const TICK_MS = 5;

/** Returns functions that report figures about this process. */
export function watchProcess() {
  const loop = watchLoop();
  return {
    /** Resident memory in bytes, after a garbage collection. */
    memory(): number {
      globalThis.gc?.();
      return process.memoryUsage.rss();
    },
    /** Processor time that the process has used, in milliseconds. */
    processor(): number {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    ...loop,
  };
}

function watchLoop() {
  let last = { at: 0, cpu: process.cpuUsage() };
  let [blockedMs, busyMs] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  const tick = (): void => {
    const now = { at: performance.now(), cpu: process.cpuUsage() };
    const { user, system } = process.cpuUsage(last.cpu);
    const late = now.at - last.at - TICK_MS;
    blockedMs = Math.max(blockedMs, late);
    busyMs = Math.max(busyMs, Math.min(late, (user + system) / 1000));
    last = now;
  };
  return {
    /** Starts to measure how long the event loop is blocked, and resets the earlier figures. */
    watch(): number {
      clearInterval(timer);
      last = { at: performance.now(), cpu: process.cpuUsage() };
      [blockedMs, busyMs] = [0, 0];
      timer = setInterval(tick, TICK_MS).unref();
      return 0;
    },
    /** The longest delay of a timer, in milliseconds. */
    blocked: () => blockedMs,
    /**
     * The longest block of the event loop, in milliseconds of processor time. Unlike `blocked`, it does not count time
     * in which the process waited for a processor.
     */
    busy: () => busyMs,
  };
}
