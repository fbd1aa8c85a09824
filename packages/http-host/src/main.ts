import { runAlone } from './alone.ts';
import { createHttpHost } from './http-host.ts';

await runAlone({
  name: 'parley-http',
  defaultPort: 4100,
  createHost: (parley, _settings, wire) => createHttpHost(parley, wire),
});
