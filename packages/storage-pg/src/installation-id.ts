import { createHmac } from 'node:crypto';

/**
 * An id of the installation. All its processes compute the same id, every other installation a different one. It does not
 * reveal the secret.
 */
export const installationId = (secret: string): string =>
  createHmac('sha256', secret).update('parley hints').digest('hex').slice(0, 32);
