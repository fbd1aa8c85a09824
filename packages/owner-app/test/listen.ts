import { once } from 'node:events';
import type { Server } from 'node:http';
import { onTestFinished, type TestContext } from 'vitest';

/**
 * Lets a server listen on a free port of this machine until the test ends. Returns its address. A concurrent test passes its
 * context.
 */
export async function listen(
  server: Server,
  test: Pick<TestContext, 'onTestFinished'> = { onTestFinished },
): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}
