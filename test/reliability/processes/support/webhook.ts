import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * A receiver of notices. It answers with the status that `answer` resolves to, and not at all while the promise is
 * pending.
 */
export interface Webhook {
  readonly url: string;
  /** The notice ids of the requests in the order of arrival, or `forged` where the signature is wrong. */
  readonly ids: readonly string[];
  answer: () => number | Promise<number>;
  until(count: number): Promise<void>;
  close(): void;
}

export async function openWebhook(): Promise<Webhook> {
  const ids: string[] = [];
  let look = (): void => undefined;
  const server = createServer(async (request, response) => {
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers;
    const body = await text(request);
    const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
    const wanted = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
    ids.push(signature === wanted && JSON.parse(body).id === id ? String(id) : 'forged');
    look();
    response.writeHead(await webhook.answer()).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const webhook: Webhook = {
    url: `http://127.0.0.1:${port}/`,
    ids,
    answer: () => 204,
    until: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (ids.length >= count) resolve();
        };
        look();
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return webhook;
}
