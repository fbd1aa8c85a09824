/**
 * Returns a function that runs tasks in order, but only `perIteration` of them in one iteration of the event loop. Further
 * tasks wait for the next iteration. Work that a task triggers in the same iteration, such as making and sending an answer,
 * counts as part of the task.
 */
export function createBudget(perIteration: number): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  let left = perIteration;
  let isScheduled = false;

  function run(task: () => void): void {
    left -= 1;
    task();
  }

  function begin(): void {
    isScheduled = false;
    left = perIteration;
    const now = waiting.slice(0, perIteration);
    waiting = waiting.slice(perIteration);
    if (now.length > 0) schedule();
    for (const task of now) run(task);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(begin);
  }

  return (task) => {
    schedule();
    if (left > 0 && waiting.length === 0) run(task);
    else waiting.push(task);
  };
}
