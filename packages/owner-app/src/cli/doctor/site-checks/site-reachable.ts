import type { Check } from '../check.ts';
import { fail, pass, warn } from '../result.ts';
import { describeAnswer } from '../site.ts';

/** Checks whether Parley answers at the public address, and whether the server has the same version as this program. */
export const siteReachable: Check = {
  name: 'reachable',
  run({ settings, site, siteFault, version }) {
    const { publicUrl } = settings;
    if (!publicUrl) return undefined;
    if (!site)
      return fail(
        `${publicUrl} cannot be reached from here: ${siteFault}`,
        'Check DNS, the proxy, its certificate, and that the server runs. Some networks do not allow connections from inside to their own public address. In that case, run parley doctor outside of the network.',
      );
    if (site.json?.error === 'HOST_NOT_SERVED')
      return fail(
        `${publicUrl} reaches a server that does not know the name in the Host header: ${site.json.message}`,
        'Configure the proxy to forward the Host header unchanged (proxy_set_header Host $http_host), start the server with this PARLEY_PUBLIC_URL, or add the name to PARLEY_HOSTS.',
      );
    if (site.json?.ok !== true || typeof site.json.version !== 'string')
      return fail(
        `another program than Parley answers at ${publicUrl}: ${describeAnswer(site)}`,
        'Configure the proxy to forward every path to Parley unchanged, and check that the server behind it runs.',
      );
    if (site.json.version !== version)
      return warn(
        `the server at ${publicUrl} has version ${site.json.version}, but this program has version ${version}`,
        "Run parley doctor of the server's version, or install the newer version for both and restart the server.",
      );
    return pass(`${publicUrl} answers with version ${version}`);
  },
};
