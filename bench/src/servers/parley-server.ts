import { createParley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { createPgliteStorage, createPostgresStorage } from '@parley/storage-pg';
import { RAISED_LIMITS } from '../raised-limits.ts';
import { answerParent, options, tellParent } from './tell-parent.ts';
import { watchProcess } from './watch-process.ts';

const { database, folder, sharedLimits } = options;
const storage =
  folder === undefined
    ? await createPostgresStorage({ connectionString: String(database) })
    : await createPgliteStorage({ folder: String(folder) });
const parley = await createParley({ storage, limits: RAISED_LIMITS, sharedLimits: sharedLimits === true });
const [rest, mcp] = [createHttpHost(parley), createMcpHost(parley)];
const { url } = await serve(
  (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
  { host: '127.0.0.1', port: 0, parley },
);
answerParent({ ...watchProcess(), held: () => parley.heldPolls() });
tellParent(url);
