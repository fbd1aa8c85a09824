/**
 * Runs tasks in order, so many in each turn of the event loop; those beyond wait for the next one. What a task leads
 * to before the turn ends, such as an answer made and sent, counts with it.
 */
export function createPace(perTurn: number): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  let left = perTurn;
  let isScheduled = false;

  function run(task: () => void): void {
    left -= 1;
    task();
  }

  function begin(): void {
    isScheduled = false;
    left = perTurn;
    const now = waiting.slice(0, perTurn);
    waiting = waiting.slice(perTurn);
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
