/**
 * Returns a function that runs the tasks of one session one after another, in the order of the calls. Tasks of different sessions
 * run at the same time. If a task fails, its own call rejects, and the next task of the session runs.
 */
export function createSessionQueue(): <T>(sessionId: string, task: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return (sessionId, task) => {
    const before = tails.get(sessionId);
    const run = before ? before.then(task, task) : task();
    const tail = run
      .catch(() => undefined)
      .then(() => {
        if (tails.get(sessionId) === tail) tails.delete(sessionId);
      });
    tails.set(sessionId, tail);
    return run;
  };
}
