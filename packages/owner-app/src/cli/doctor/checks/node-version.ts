import type { Check } from '../check.ts';
import { broken, doubtful, fine } from '../result.ts';

/** The oldest line of Node that still gets security fixes. */
const MAINTAINED = 22;

export const nodeVersion: Check = {
  name: 'node',
  look: () => readVersion(process.versions.node),
};

export function readVersion(version: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return broken(`Node ${version} is too old`, 'Install Node 24; Parley needs 20.19 or newer.');
  if (major < MAINTAINED) return doubtful(`Node ${version} gets no security fixes any more`, 'Install Node 24.');
  return fine(`Node ${version}`);
}
