import { createHttpHost } from './http-host.ts';
import { runStandalone } from './standalone.ts';

await runStandalone({
  name: 'parley-http',
  defaultPort: 4100,
  paths: { rest: '/api/public/agent' },
  createHost: (parley, _settings, wire) => createHttpHost(parley, wire),
});
