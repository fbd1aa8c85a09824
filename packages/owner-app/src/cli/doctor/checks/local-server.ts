import type { Check } from '../check.ts';
import { broken, fine } from '../result.ts';
import { askSite, describeAnswer } from '../site.ts';

/** Who answers on the port of this machine. */
export const localServer: Check = {
  name: 'server here',
  async look({ settings: { host, port } }) {
    if (port === 0) return undefined;
    const address = addressOf(host, port);
    const answer = await askSite(`${address}/readyz`, { withinMs: 5_000 }).catch(() => undefined);
    if (!answer) return fine(`none answers at ${address}`);
    if (answer.status === 200 && answer.json?.ok === true) return fine(`ready at ${address}`);
    if (answer.json?.reason === 'storage')
      return broken(`the one at ${address} has no database`, 'See its log, and the findings on PostgreSQL here.');
    if (answer.json?.reason === 'draining') return fine(`the one at ${address} is stopping`);
    return broken(
      `another program answers at ${address}: ${describeAnswer(answer)}`,
      'Stop it, or choose another port with PORT or --port.',
    );
  },
};

function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
