import { DurableStreamTestServer } from '@durable-streams/server';
import { answerParent, tellParent } from './tell-parent.ts';
import { watchProcess } from './watch-process.ts';

const server = new DurableStreamTestServer({ port: 0 });
await server.start();
answerParent({
  ...watchProcess(),
  /** The list is private. Counting by a wrapper would add memory to each poll. */
  held: () => Reflect.get(server.store, 'pendingLongPolls').length,
});
tellParent(server.url);
