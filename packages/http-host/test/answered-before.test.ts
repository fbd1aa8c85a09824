import { createServer, type RequestListener } from 'node:http';
import Koa from 'koa';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { createHttpHost, serve } from '../src/index.ts';
import { createEchoPort } from './echo-port.ts';

const PATH = '/api/public/agent/x';

function opened() {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate, open };
}

/** A host that answers only after `tell` is called, so that the app around the host can answer earlier. */
function createSlowHost() {
  const [asked, told, over] = [opened(), opened(), opened()];
  const parley = createEchoPort();
  const callRoute: typeof parley.callRoute = async (request) => {
    asked.open();
    await told.gate;
    setImmediate(over.open);
    return parley.callRoute(request);
  };
  const host = createHttpHost({ ...parley, callRoute });
  return { host, asked: asked.gate, tell: told.open, over: over.gate };
}

function watchRejections(): unknown[] {
  const rejected: unknown[] = [];
  const onRejection = (reason: unknown) => void rejected.push(reason);
  process.on('unhandledRejection', onRejection);
  onTestFinished(() => void process.off('unhandledRejection', onRejection));
  return rejected;
}

it('does not change an answer that the app around the handler has sent', async () => {
  const rejected = watchRejections();
  const { host, asked, tell, over } = createSlowHost();
  const app: RequestListener = (request, response) => {
    host.handler(request, response);
    void asked.then(() => response.writeHead(503).end('late'));
  };
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const { status, text } = await ask(`http://127.0.0.1:${Object(address).port}`, PATH);
  tell();
  await over;
  await new Promise((resolve) => setImmediate(resolve));
  expect([status, text, rejected]).toEqual([503, 'late', []]);
});

it('does not change an answer that a Koa app has sent', async () => {
  const { host, asked, tell } = createSlowHost();
  const ended = opened();
  const outcomes: unknown[] = [];
  const app = new Koa();
  app.use(async (ctx, next) => {
    const answered = next().then(
      () => outcomes.push('done'),
      (error) => outcomes.push(error),
    );
    await asked;
    ctx.res.writeHead(503).end('late');
    await answered;
    ended.open();
  });
  app.use(host.middleware);
  const serving = await serve(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => serving.close());
  const { status, text } = await ask(serving.url, PATH);
  tell();
  await ended.gate;
  expect([status, text, outcomes]).toEqual([503, 'late', ['done']]);
});
