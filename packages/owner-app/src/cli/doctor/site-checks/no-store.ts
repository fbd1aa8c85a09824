import { onSite } from '../check.ts';
import { fail, pass } from '../result.ts';

/**
 * Checks whether a proxy caches answers. Behind a cache, agents could get an old state or the state of another agent.
 */
export const noStore = onSite('caching', (_url, { site }) => {
  const kept = site?.headers.get('cache-control') ?? '';
  if (site?.headers.get('age') || /\bhit\b/i.test(site?.headers.get('x-cache') ?? ''))
    return fail('a cache in front of the service answered', 'Turn off caching for this host in the proxy or CDN.');
  if (/\bno-store\b/.test(kept)) return pass('the header Cache-Control: no-store arrives unchanged');
  return fail(
    kept ? `the proxy changed Cache-Control to ${kept}` : 'the proxy removed Cache-Control: no-store',
    'Configure the proxy to leave Cache-Control unchanged; in nginx, remove expires and add_header Cache-Control.',
  );
});
