import { createHmac } from 'node:crypto';

/**
 * An id of an installation that does not reveal its secret: the same in all its processes, different in every other
 * installation.
 */
export const installationId = (secret: string): string =>
  createHmac('sha256', secret).update('parley hints').digest('hex').slice(0, 32);
