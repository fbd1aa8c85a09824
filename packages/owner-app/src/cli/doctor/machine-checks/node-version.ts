import type { Check } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

/** Oldest major version of Node that still gets security fixes. */
const MAINTAINED = 22;

export const nodeVersion: Check = {
  name: 'node',
  run: () => readVersion(process.versions.node),
};

export function readVersion(version: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return fail(`Node ${version} is too old`, 'Install Node 24; Parley needs 20.19 or newer.');
  if (major < MAINTAINED) return warn(`Node ${version} gets no security fixes any more`, 'Install Node 24.');
  return pass(`Node ${version}`);
}
