import { createHttpHost } from './http-host.ts';
import { runAlone } from './standalone.ts';

await runAlone({
  name: 'parley-http',
  defaultPort: 4100,
  createHost: (parley, _settings, wire) => createHttpHost(parley, wire),
});
