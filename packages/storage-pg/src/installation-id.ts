import { createHmac } from 'node:crypto';

/** Names an installation to others without its secret: the same in all its processes, another in every other one. */
export const installationId = (secret: string): string =>
  createHmac('sha256', secret).update('parley hints').digest('hex').slice(0, 32);
