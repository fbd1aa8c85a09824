import { openArchive } from '../../../server/retain/open-archive.ts';
import type { Check } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

/** Checks the archive to which sessions are exported before they are erased. Skipped if no retention is configured. */
export const archive: Check = {
  name: 'archive',
  async run({ settings: { retention } }) {
    if (!retention) return undefined;
    const opened = openArchive(retention.to);
    try {
      await opened.examine();
    } catch (error) {
      return fail(
        error instanceof Error ? error.message : String(error),
        'No session is erased until this fault is corrected. After the correction, run parley retain --check, which also tests writing a file.',
      );
    }
    const { to } = retention;
    if (to.kind === 's3' && to.endpoint && isPlain(to.endpoint))
      return warn(
        `${to.endpoint} is plain HTTP: others on the network can read the exported sessions`,
        'Give the store a certificate, and set AWS_ENDPOINT_URL_S3 to its https: address.',
      );
    return pass(`${opened.addressOf('')} answers; to test writing a file too, run parley retain --check`);
  },
};

const isPlain = (endpoint: string): boolean => {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !/^(?:localhost|.*\.localhost|127\.[\d.]+|\[?::1\]?)$/.test(hostname);
};
