import { createParley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { createPostgresStorage } from '@parley/storage-pg';
import { RAISED_LIMITS } from '../raised-limits.ts';
import { options, tellParent } from './tell-parent.ts';

const storage = await createPostgresStorage({ connectionString: String(options.database) });
const parley = await createParley({ storage, limits: RAISED_LIMITS, sharedLimits: false });
const [rest, mcp] = [createHttpHost(parley), createMcpHost(parley)];
const { url } = await serve(
  (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
  { host: '127.0.0.1', port: 0, parley },
);
tellParent(url);
