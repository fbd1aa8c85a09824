import { createHmac } from 'node:crypto';

/**
 * Computes an id of the installation from its secret. The id is the same in all processes, and does not reveal the
 * secret.
 */
export const installationId = (secret: string): string =>
  createHmac('sha256', secret).update('parley hints').digest('hex').slice(0, 32);
