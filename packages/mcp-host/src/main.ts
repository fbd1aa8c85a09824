import { runAlone } from '@parley/http-host/alone';
import { createMcpHost } from './mcp-host.ts';

await runAlone({
  name: 'parley-mcp',
  defaultPort: 4101,
  createHost: (parley, { pathTokens }, wire) => createMcpHost(parley, { ...wire, pathTokens }),
});
