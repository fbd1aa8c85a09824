import { randomBytes } from 'node:crypto';
import { type AnsweredRequest, cutOffIn, shownPath } from '@parley/http-host';
import type { Middleware } from 'koa';
import { plainTarget } from './api/answering.ts';

/**
 * Logs each request to the owner API and the console, and adds a request id to the answer. The hosts of the agents log
 * their own requests.
 */
export const logOwnerRequests =
  (log: (request: AnsweredRequest) => void): Middleware =>
  async (ctx, next) => {
    const requestId = randomBytes(16).toString('hex');
    const path = shownPath(plainTarget(ctx).path);
    const { method } = ctx;
    const start = performance.now();
    ctx.set('X-Request-Id', requestId);
    ctx.res.once('close', () => {
      const status = ctx.res.writableFinished ? ctx.res.statusCode : 499;
      log({ method, path, status, ms: Math.round(performance.now() - start), requestId, ...cutOffIn(ctx.req) });
    });
    await next();
  };
