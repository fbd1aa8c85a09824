import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { serverUser } from './postgres-programs.ts';
import { findProgram, runBeside, type SideProgram } from './side-program.ts';

export interface PgBouncer extends SideProgram {
  /** The URL by which clients reach the database through PgBouncer. */
  readonly url: string;
}

/**
 * Starts a private PgBouncer in transaction mode in front of a database. If PgBouncer is not installed, throws an error
 * if REQUIRE_PGBOUNCER is 1, and returns null otherwise.
 *
 * @param settings further settings of PgBouncer, such as `{ default_pool_size: '4' }`
 */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer | null> {
  const file = findProgram('pgbouncer', 'REQUIRE_PGBOUNCER');
  if (file === null) return null;
  const port = await freePort();
  const target = new URL(databaseUrl);
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'));
  writeFileSync(join(folder, 'pgbouncer.ini'), settingsFor(target, port, settings));
  if (user) chownSync(folder, user.uid, user.gid);
  const running = await runBeside(file, ['-q', join(folder, 'pgbouncer.ini')], port, { ...user, cwd: folder });
  return {
    ...running,
    url: Object.assign(new URL(databaseUrl), { port }).href,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const settingsFor = (target: URL, port: number, more: Readonly<Record<string, string>>): string => `
[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = 4
${Object.entries(more)
  .map(([name, value]) => `${name} = ${value}`)
  .join('\n')}
`;
