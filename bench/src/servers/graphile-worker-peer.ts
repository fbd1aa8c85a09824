import { Logger, run } from 'graphile-worker';
import { nowMs } from '../monotonic.ts';
import { answerParent, options, tellParent } from './tell-parent.ts';

let started = (_at: number): void => {};

await run({
  connectionString: String(options.database),
  logger: new Logger(() => () => {}),
  noHandleSignals: true,
  taskList: { wake: () => started(nowMs()) },
});
answerParent({
  /** Answers when the next job has started, with the time of its start. */
  started: () =>
    new Promise((resolve) => {
      started = resolve;
    }),
});
tellParent('');
