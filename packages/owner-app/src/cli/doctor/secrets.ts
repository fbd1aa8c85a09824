import { passwordsIn, withoutSecrets } from '../passwords.ts';
import type { Deployment } from './deployment.ts';

/** Returns a function that removes all secrets of a deployment from a text, such as the error message of a driver. */
export function secretsRemover({ settings, token }: Pick<Deployment, 'settings' | 'token'>): (text: string) => string {
  const { databaseUrl, pgDirectUrl, redisUrl, ownerKey, webhook, retention } = settings;
  const store = retention?.to.kind === 's3' ? [retention.to.secretAccessKey, retention.to.sessionToken] : [];
  const urls = [databaseUrl, pgDirectUrl, redisUrl, webhook?.url];
  return withoutSecrets([
    ...urls.flatMap(passwordsIn),
    ...urls,
    ownerKey,
    token,
    ...store,
    ...(webhook?.secrets ?? []),
  ]);
}
