import type { Check } from '../check.ts';
import { fail, pass, warn } from '../result.ts';
import { describeAnswer } from '../site.ts';

/** Whether the public address leads to this service, in this version. */
export const siteReachable: Check = {
  name: 'reachable',
  run({ settings, site, siteFault, version }) {
    const { publicUrl } = settings;
    if (!publicUrl) return undefined;
    if (!site)
      return fail(
        `${publicUrl} is not reached from here: ${siteFault}`,
        'Check DNS, the proxy, its certificate and that a server runs; from inside some networks the public address leads nowhere.',
      );
    if (site.json?.error === 'HOST_NOT_SERVED')
      return fail(
        `${publicUrl} reaches a server that does not know the name in the Host header: ${site.json.message}`,
        'Let the proxy pass Host on as it came (proxy_set_header Host $http_host), start the server with this PARLEY_PUBLIC_URL, or add the name to PARLEY_HOSTS.',
      );
    if (site.json?.ok !== true || typeof site.json.version !== 'string')
      return fail(
        `${publicUrl} answers, but not as Parley does: ${describeAnswer(site)}`,
        'Let the proxy pass every path to Parley as it is, and see that a process is running behind it.',
      );
    if (site.json.version !== version)
      return warn(
        `${publicUrl} runs ${site.json.version}, this program is ${version}`,
        'Restart the processes that are behind, or run the doctor of their version.',
      );
    return pass(`${publicUrl} answers with version ${version}`);
  },
};
