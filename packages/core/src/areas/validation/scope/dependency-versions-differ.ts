import { nameKey } from '../../../kernel/name-key.ts';
import type { ContractRule } from '../rule.ts';

export const dependencyVersionsDiffer: ContractRule = {
  reads: 'contract',
  code: 'DEPENDENCY_VERSIONS_DIFFER',
  severity: 'warning',
  explanation: 'Both builders must use the same version of a dependency.',
  hint: 'Agree on one version. Or give the two dependencies different names, and say in "why" that the difference does no harm.',

  *check({ dependencies }) {
    const firstOf = new Map<string, { readonly version: string; readonly at: number }>();
    for (const [at, { name, version }] of dependencies.entries()) {
      if (version === undefined) continue;
      const key = nameKey(name);
      const first = firstOf.get(key);
      if (first === undefined) firstOf.set(key, { version, at });
      else if (first.version.trim() !== version.trim())
        yield {
          pointer: `/dependencies/${at}/version`,
          message: `The version differs from that of the same dependency at /dependencies/${first.at}.`,
        };
    }
  },
};
