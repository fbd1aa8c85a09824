import { CONNECTIONS } from './bench.ts';

export type RunStatement = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

/**
 * Creates the floor's tables for the benches `read` and `write`: a table whose rows have `answerBytes` bytes, and an
 * empty table for turns.
 */
export async function makeFloorTables(run: RunStatement, answerBytes: number): Promise<void> {
  const body = JSON.stringify({ state: 'x'.repeat(Math.max(0, answerBytes - '{"state":""}'.length)) });
  await run('create table floor_state (id int primary key, body text not null)');
  await run('insert into floor_state select id, $1 from generate_series(0, $2::int - 1) as id', [body, CONNECTIONS]);
  await run(`create table floor_turn (
    id bigint generated always as identity primary key,
    session_id text not null,
    hash text not null,
    body text not null
  )`);
  await run('analyze floor_state');
}
