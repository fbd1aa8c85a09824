import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { canRunNginx, runNginx } from '../../../workspace/support/nginx-program.ts';
import { openBalancer } from './balancer.ts';

/** One address that leads to several processes. */
export interface FrontDoor {
  readonly name: string;
  readonly url: string;
  close(): Promise<void>;
}

const SETTINGS = fileURLToPath(new URL('../../../../deploy/nginx.conf', import.meta.url));

/**
 * Starts nginx with `deploy/nginx.conf` if nginx is installed, otherwise `openBalancer`, which behaves alike.
 * `processes` are addresses such as `127.0.0.1:4100`.
 */
export async function openProxy(processes: readonly string[], wanted?: 'nginx' | 'own'): Promise<FrontDoor> {
  if (wanted === 'own' || (wanted === undefined && !canRunNginx())) return openBalancer(processes);
  const nginx = await runNginx(readFileSync(SETTINGS, 'utf8'), processes);
  return {
    name: 'nginx with deploy/nginx.conf',
    url: nginx.url,
    async close() {
      await nginx.stop();
      nginx.remove();
    },
  };
}
