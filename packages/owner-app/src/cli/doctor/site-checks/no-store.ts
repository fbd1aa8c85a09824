import { onSite } from '../check.ts';
import { fail, pass } from '../result.ts';

/** Checks whether a proxy caches answers. From a cache an agent would get the state of another agent, or an old state. */
export const noStore = onSite('caching', (_url, { site }) => {
  const kept = site?.headers.get('cache-control') ?? '';
  if (site?.headers.get('age') || /\bhit\b/i.test(site?.headers.get('x-cache') ?? ''))
    return fail('an answer came from a cache', 'Turn off caching for this host in the proxy or CDN.');
  if (/\bno-store\b/.test(kept)) return pass('Cache-Control: no-store arrives');
  return fail(
    kept ? `the proxy changed Cache-Control to ${kept}` : 'the proxy removed Cache-Control: no-store',
    'Configure the proxy to leave the header unchanged (no expires, no add_header Cache-Control).',
  );
});
