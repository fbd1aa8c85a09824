/** Runs tasks in the order in which they were added, a limited number of them at the same time. */
export interface TaskQueue {
  run(task: () => Promise<void>): void;
  /** Drops the tasks that have not begun. Resolves when the running tasks have ended. */
  close(): Promise<void>;
}

export function createTaskQueue(count: number): TaskQueue {
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();

  const next = (): void => {
    const task = running.size < count ? waiting.shift() : undefined;
    if (!task) return;
    const run = task().finally(() => {
      running.delete(run);
      next();
    });
    running.add(run);
  };

  return {
    run(task) {
      waiting.push(task);
      next();
    },
    async close() {
      waiting.length = 0;
      await Promise.all(running);
    },
  };
}
