import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD } from '../../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: { include: ['test/reliability/simulation/**/*.test.ts'], isolate: false, ...LONG_HANG_GUARD },
});
