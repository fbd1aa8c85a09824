import type { Settings } from '../server/settings/settings.ts';
import { passwordsIn, withoutSecrets } from './passwords.ts';

interface Configured {
  readonly settings: Settings;
  readonly token?: string | undefined;
}

/** Returns a function that removes all secrets of the settings from a text, such as the error message of a driver. */
export function secretsRemover({ settings, token }: Configured): (text: string) => string {
  const { databaseUrl, pgDirectUrl, redisUrl, ownerKey, webhook, retention, oidc, proxySignIn, certificateKeys } =
    settings;
  const store = retention?.to.kind === 's3' ? [retention.to.secretAccessKey, retention.to.sessionToken] : [];
  const urls = [databaseUrl, pgDirectUrl, redisUrl, webhook?.url];
  return withoutSecrets([
    ...urls.flatMap(passwordsIn),
    ...urls,
    ...[ownerKey, token, oidc?.clientSecret, proxySignIn?.secret],
    ...store,
    ...(webhook?.secrets ?? []),
    certificateKeys && Buffer.from(certificateKeys.signs).toString('base64'),
  ]);
}
