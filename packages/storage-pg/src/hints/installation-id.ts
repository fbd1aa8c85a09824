import { createHmac } from 'node:crypto';

/**
 * An id of the installation. It is computed from the secret of the installation, but does not reveal it. All processes of
 * the installation compute the same id.
 */
export const installationId = (secret: string): string =>
  createHmac('sha256', secret).update('parley hints').digest('hex').slice(0, 32);
