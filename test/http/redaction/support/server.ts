import { type Child, startCli } from '../../../../packages/owner-app/test/child.ts';
import type { Place } from './place.ts';

export interface Server {
  readonly url: string;
  readonly metrics: () => Promise<string>;
  readonly child: Child;
  printed(): string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const LIMITS = { PARLEY_RATE_TOKEN: '150', PARLEY_RATE_ADDRESS: '40', PARLEY_RATE_REDEEM: '12' };

/** Starts the server with the most detailed log level. */
export async function startServer(place: Place, environment: Readonly<Record<string, string>>): Promise<Server> {
  const child = startCli(['serve'], {
    ...{ PORT: '0', PARLEY_DATA: place.folder, PARLEY_LOG_LEVEL: 'trace', PARLEY_METRICS_PORT: '0' },
    ...LIMITS,
    ...place.environment,
    ...environment,
  });
  const [, url = ''] = await child.says(/^parley listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
  const [, metricsUrl = ''] = await child.says(/^parley metrics on (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m);
  return {
    url,
    metrics: async () => await (await fetch(metricsUrl)).text(),
    child,
    printed: () => `${child.out()}\n${child.err()}`,
    async end(signal) {
      child.process.kill(signal);
      await child.ended;
    },
  };
}
