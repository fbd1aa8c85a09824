import { ownerListings } from '@parley/core';
import { freePort } from '../../../scripts/servers/free-port.ts';
import { createOwnerClient } from '../src/cli/client/owner-client.ts';
import { ownerApi } from '../src/cli/demo/demo.ts';
import { KEY } from './running-app.ts';
import { newDataFolder, serveIn } from './server-process.ts';

/**
 * Starts a service in a separate process, on a database in a folder. A test can kill and restart the service with the
 * same data and port.
 */
export async function killableService() {
  const settings = { PORT: String(await freePort()), PARLEY_OWNER_KEY: KEY };
  const data = await newDataFolder();
  let service = await serveIn(data, settings);
  const { url } = service;
  return {
    url,
    owner: ownerApi({ client: createOwnerClient(url, KEY), listings: ownerListings }),
    async kill() {
      service.child.process.kill('SIGKILL');
      await service.child.ended;
    },
    async restart() {
      service = await serveIn(data, settings);
    },
  };
}
