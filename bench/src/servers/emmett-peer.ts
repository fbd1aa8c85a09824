import { text } from 'node:stream/consumers';
import { type Event, STREAM_DOES_NOT_EXIST } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import Koa from 'koa';
import { loadInProcess } from '../in-process.ts';
import { makeTurn } from '../seats.ts';
import { answerParent, options, tellParent, urlOf } from './tell-parent.ts';
import { watchProcess } from './watch-process.ts';

type TurnPosted = Event<'TurnPosted', ReturnType<typeof makeTurn>>;

const store = getPostgreSQLEventStore(String(options.database));
await store.schema.migrate();

/** Appends one event to a stream that must have `length` events. Returns the number of events that it has then. */
async function append(stream: string, length: bigint, data: TurnPosted['data']): Promise<bigint> {
  const expectedStreamVersion = length === 0n ? STREAM_DOES_NOT_EXIST : length;
  const events = [{ type: 'TurnPosted', data } satisfies TurnPosted];
  const appended = await store.appendToStream<TurnPosted>(stream, events, { expectedStreamVersion });
  return appended.nextExpectedStreamVersion;
}

let loads = 0;

async function appendInProcess(seconds: number) {
  loads += 1;
  return await loadInProcess(seconds, (client, repeat) => {
    const stream = `in-process-${loads}-${client}`;
    let length = 0n;
    return repeat(async () => {
      length = await append(stream, length, makeTurn());
    });
  });
}

const app = new Koa();
app.use(async (ctx) => {
  const [, first = '', second = ''] = ctx.path.split('/');
  if (first === 'in-process') {
    ctx.body = await appendInProcess(Number(second));
    return;
  }
  const length = await append(first, BigInt(second), JSON.parse(await text(ctx.req)));
  ctx.body = { message_id: String(length) };
});
answerParent(watchProcess());
const server = app.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
