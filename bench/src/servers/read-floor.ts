import Koa from 'koa';
import pg from 'pg';
import { options, tellParent, urlOf } from './tell-parent.ts';

const pool = new pg.Pool({ connectionString: String(options.database), max: 10 });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query<{ body: string }>('select body from floor_state where id = $1', [
    ctx.path.slice(1),
  ]);
  ctx.type = 'application/json';
  ctx.body = rows[0]?.body ?? ctx.throw(404);
});
const server = app.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
