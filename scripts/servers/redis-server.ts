import { freePort } from './free-port.ts';
import { findProgram, runBeside, type SideProgram } from './side-program.ts';

export interface RedisServer extends SideProgram {
  readonly url: string;
}

/**
 * Starts a private Redis without persistence. If Redis is not installed, throws an error if REQUIRE_REDIS is 1, and
 * returns null otherwise.
 *
 * @param settings further settings, such as `{ requirepass: 'a secret' }`
 */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer | null> {
  const file = findProgram('redis-server', 'REQUIRE_REDIS');
  if (file === null) return null;
  const port = await freePort();
  const all = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  return { ...(await runBeside(file, args, port)), url: `redis://127.0.0.1:${port}` };
}
