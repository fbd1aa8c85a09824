import { createHmac } from 'node:crypto';

/**
 * An id of the installation, which all its processes compute from the installation's secret. The id does not reveal the
 * secret.
 */
export const installationId = (secret: string): string =>
  createHmac('sha256', secret).update('parley hints').digest('hex').slice(0, 32);
