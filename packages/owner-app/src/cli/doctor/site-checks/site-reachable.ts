import type { Check } from '../check.ts';
import { fail, pass, warn } from '../result.ts';
import { describeAnswer } from '../site.ts';

/** Checks whether Parley answers at the public address, in the version of this program. */
export const siteReachable: Check = {
  name: 'reachable',
  run({ settings, site, siteFault, version }) {
    const { publicUrl } = settings;
    if (!publicUrl) return undefined;
    if (!site)
      return fail(
        `${publicUrl} cannot be reached from here: ${siteFault}`,
        'Check DNS, the proxy, its certificate and that a server runs; in some networks the public address cannot be reached from inside.',
      );
    if (site.json?.error === 'HOST_NOT_SERVED')
      return fail(
        `${publicUrl} reaches a server that does not know the name in the Host header: ${site.json.message}`,
        'Configure the proxy to pass on the Host header unchanged (proxy_set_header Host $http_host), start the server with this PARLEY_PUBLIC_URL, or add the name to PARLEY_HOSTS.',
      );
    if (site.json?.ok !== true || typeof site.json.version !== 'string')
      return fail(
        `${publicUrl} answers, but not as Parley does: ${describeAnswer(site)}`,
        'Configure the proxy to pass every path to Parley unchanged, and check that a process runs behind it.',
      );
    if (site.json.version !== version)
      return warn(
        `${publicUrl} runs version ${site.json.version}, and this program is ${version}`,
        'Restart the processes of the older version, or run parley doctor of their version.',
      );
    return pass(`${publicUrl} answers with version ${version}`);
  },
};
