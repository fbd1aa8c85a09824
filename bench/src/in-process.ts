import { CONNECTIONS, type Figures } from './bench.ts';
import { COST, P95, RATE } from './load.ts';
import { quantile } from './statistics.ts';

/** Numbers of the clients, which a load counts from 0. */
const CLIENTS = Array.from({ length: CONNECTIONS }, (_, client) => client);

/** Makes calls one after another, until the time of the load is over. The first call is made in any case. */
export type Repeat = (call: () => Promise<unknown>) => Promise<void>;

/**
 * Measures a load on a library in this process, without HTTP: the counterpart of `load`. All clients run at the same
 * time. `run` is called once for each client, and passes the call of this client to `repeat`.
 */
export async function loadInProcess(
  seconds: number,
  run: (client: number, repeat: Repeat) => Promise<unknown>,
): Promise<Figures> {
  const latencies: number[] = [];
  const [begin, before] = [performance.now(), process.cpuUsage()];
  const repeat: Repeat = async (call) => {
    let since = performance.now();
    do {
      await call();
      const now = performance.now();
      latencies.push(now - since);
      since = now;
    } while (since < begin + seconds * 1000);
  };
  await Promise.all(CLIENTS.map((client) => run(client, repeat)));
  const elapsed = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(before);
  return {
    [RATE]: latencies.length / elapsed,
    [P95]: quantile(latencies, 0.95),
    [COST]: (user + system) / latencies.length,
  };
}
