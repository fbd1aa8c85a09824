import type { Check } from '../check.ts';
import { fail, pass } from '../result.ts';
import { askSite, describeAnswer } from '../site.ts';

/** Checks which program answers at `HOST` and `PORT` of this machine. */
export const localServer: Check = {
  name: 'server here',
  async run({ settings: { host, port } }) {
    if (port === 0) return undefined;
    const address = addressOf(host, port);
    const answer = await askSite(`${address}/readyz`, { withinMs: 5_000 }).catch(() => undefined);
    if (!answer) return pass(`no server answers at ${address}`);
    if (answer.status === 200 && answer.json?.ok === true) return pass(`the server at ${address} is ready`);
    if (answer.json?.reason === 'storage')
      return fail(
        `the server at ${address} cannot use its database`,
        'Read the log of that server, and what this command prints about PostgreSQL.',
      );
    if (answer.json?.reason === 'draining') return pass(`the server at ${address} is stopping`);
    return fail(
      `another program answers at ${address}: ${describeAnswer(answer)}`,
      'Stop that program, or choose another port for Parley with PORT or --port.',
    );
  },
};

function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
