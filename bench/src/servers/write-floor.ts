import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import pg from 'pg';
import { options, tellParent, urlOf } from './tell-parent.ts';

const INSERT = 'insert into floor_turn (session_id, hash, body) values ($1, $2, $3) returning id';

const pool = new pg.Pool({ connectionString: String(options.database), max: 10 });
const app = new Koa();
app.use(async (ctx) => {
  const turn: unknown = JSON.parse(await text(ctx.req));
  const body = JSON.stringify({ at: new Date().toISOString(), turn });
  const hash = createHash('sha256').update(body).digest('hex');
  const { rows } = await pool.query<{ id: string }>(INSERT, [ctx.path.slice(1), hash, body]);
  ctx.body = { message_id: rows[0]?.id };
});
const server = app.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
