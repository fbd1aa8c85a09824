import { onSite } from '../check.ts';
import { fail, pass } from '../result.ts';

/** A cache in between would give one agent's state to another, or yesterday's. */
export const noStore = onSite('caching', (_url, { site }) => {
  const kept = site?.headers.get('cache-control') ?? '';
  if (site?.headers.get('age') || /\bhit\b/i.test(site?.headers.get('x-cache') ?? ''))
    return fail('an answer came out of a cache', 'Turn off caching for this host in the proxy or CDN.');
  if (/\bno-store\b/.test(kept)) return pass('Cache-Control: no-store is kept');
  return fail(
    kept ? `the proxy changed Cache-Control to ${kept}` : 'the proxy took away Cache-Control: no-store',
    'Let it leave the header as it is (no expires, no add_header Cache-Control).',
  );
});
