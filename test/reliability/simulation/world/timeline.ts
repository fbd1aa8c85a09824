/** Virtual time. It advances only between two tasks. A task never runs inside another. */
export interface Timeline {
  /** Milliseconds since the run began. */
  now(): number;
  after(ms: number, task: () => void): () => void;
  sleep(ms: number): Promise<void>;
  /** Resolves when the microtask queue is empty and nothing waits for an iteration of the event loop. */
  settle(): Promise<void>;
  /**
   * Runs the earliest task, and then all microtasks that follow from this task. Returns false if no task is due at or
   * before `end`.
   */
  step(end: number): Promise<boolean>;
}

interface Task {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

export function createTimeline(): Timeline {
  const heap: Task[] = [];
  let now = 0;
  let order = 0;
  const after = (ms: number, run: () => void): (() => void) => {
    order += 1;
    const task: Task = { due: now + Math.max(0, ms), order, run, isCancelled: false };
    push(heap, task);
    return () => {
      task.isCancelled = true;
    };
  };
  return {
    now: () => now,
    after,
    settle,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    async step(end) {
      for (let task = heap[0]; task && task.due <= end; task = heap[0]) {
        pop(heap);
        if (task.isCancelled) continue;
        now = task.due;
        task.run();
        await settle();
        return true;
      }
      return false;
    },
  };
}

/** More iterations of the event loop than a read of an owner lets pass before it begins. */
const ITERATIONS = 70;

async function settle(): Promise<void> {
  for (let left = ITERATIONS; left > 0; left -= 1) await new Promise((resolve) => void setImmediate(resolve));
}

const isBefore = (a: Task, b: Task): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

function push(heap: Task[], task: Task): void {
  let index = heap.length;
  heap.push(task);
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above];
    if (!parent || !isBefore(task, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = task;
}

function pop(heap: Task[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const child = smallerChild(heap, index);
    const below = heap[child];
    if (!below || !isBefore(below, last)) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
}

function smallerChild(heap: readonly Task[], index: number): number {
  const left = 2 * index + 1;
  const [a, b] = [heap[left], heap[left + 1]];
  return a && b && isBefore(b, a) ? left + 1 : left;
}
