import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { openFloorPool } from './floor-pool.ts';
import { answerParent, options, tellParent, urlOf } from './tell-parent.ts';
import { watchProcess } from './watch-process.ts';

const SELECT = 'select body from floor_state where id = $1';
const INSERT = 'insert into floor_turn (session_id, hash, body) values ($1, $2, $3) returning id';

const pool = await openFloorPool(options);
const app = new Koa();
app.use((ctx) => (ctx.method === 'GET' ? read(ctx) : write(ctx)));

async function read(ctx: Koa.Context): Promise<void> {
  const { rows } = await pool.query<{ body: string }>(SELECT, [ctx.path.slice(1)]);
  ctx.type = 'application/json';
  ctx.body = rows[0]?.body ?? ctx.throw(404);
}

async function write(ctx: Koa.Context): Promise<void> {
  const turn: unknown = JSON.parse(await text(ctx.req));
  const body = JSON.stringify({ at: new Date().toISOString(), turn });
  const hash = createHash('sha256').update(body).digest('hex');
  const { rows } = await pool.query<{ id: string }>(INSERT, [ctx.path.slice(1), hash, body]);
  ctx.body = { message_id: rows[0]?.id };
}

answerParent(watchProcess());
const server = app.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
