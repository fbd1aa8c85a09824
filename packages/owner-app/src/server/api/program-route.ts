import type { HostPort } from '@parley/core';
import type { Middleware } from 'koa';
import { programWords } from '../../text/program-words.ts';
import type { Authenticate } from '../access/owner-authentication.ts';
import { refuseCrossSite } from '../access/owner-authentication.ts';
import { packageFile } from '../package-file.ts';
import { answering, refuseMethod } from './answering.ts';

interface ProgramRouteOptions {
  readonly parley: Pick<HostPort, 'toError'>;
  readonly authenticate: Authenticate;
  readonly publicUrl?: string | undefined;
}

/**
 * The route `GET /owner/api/program`. The answer is `{ words }`: the words of the command line that runs the command
 * `parley` of this server. The console shows them in the commands with which an agent on the same machine joins.
 */
export const createProgramRoute = ({ parley, authenticate, publicUrl }: ProgramRouteOptions): Middleware =>
  answering({ parley, prefix: '/owner/api/program' }, async (ctx) => {
    if (ctx.method !== 'GET') refuseMethod(ctx, ['GET']);
    refuseCrossSite(ctx, publicUrl);
    await authenticate(ctx);
    ctx.body = { words: programWords(packageFile('bin/parley.js')) };
  });
