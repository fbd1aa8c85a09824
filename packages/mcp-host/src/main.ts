import { runStandalone } from '@parley/http-host/standalone';
import { createMcpHost } from './mcp-host.ts';

await runStandalone({
  name: 'parley-mcp',
  defaultPort: 4101,
  paths: { mcp: '/api/public/mcp' },
  createHost: (parley, { pathTokens }, wire) => createMcpHost(parley, { ...wire, pathTokens }),
});
