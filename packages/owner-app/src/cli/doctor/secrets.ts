import type { Deployment } from './deployment.ts';

/** Minimum length of a secret that is removed from texts. A shorter secret could be an ordinary word. */
const SHORTEST = 4;

/** Returns a function that removes all secrets of a deployment from a text, such as the error message of a driver. */
export function secretsRemover({ settings, token }: Pick<Deployment, 'settings' | 'token'>): (text: string) => string {
  const { databaseUrl, pgDirectUrl, redisUrl, ownerKey, webhook, retention } = settings;
  const store = retention?.to.kind === 's3' ? [retention.to.secretAccessKey, retention.to.sessionToken] : [];
  const urls = [databaseUrl, pgDirectUrl, redisUrl, webhook?.url];
  const secrets = [...urls.flatMap(passwordsIn), ...urls, ownerKey, token, ...store, ...(webhook?.secrets ?? [])]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** The password in a URL in two forms: as it is written, and percent-decoded. */
function passwordsIn(url: string | undefined): string[] {
  if (url === undefined) return [];
  // An address that only the driver can read has no host, or a password with characters such as a slash.
  const written = /^[a-z]+:\/\/[^/?#:]*:(.*)@/i.exec(url)?.[1] ?? '';
  const password = URL.canParse(url) ? new URL(url).password : written;
  return password ? [password, decoded(password)] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
