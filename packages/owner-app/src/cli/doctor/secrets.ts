import type { Deployment } from './deployment.ts';

/** Shorter secrets are not removed: they could be ordinary words. */
const SHORTEST = 4;

/** Removes every secret of a deployment from a text, because errors of drivers and proxies may repeat them. */
export function secretsRemover({ settings, token }: Pick<Deployment, 'settings' | 'token'>): (text: string) => string {
  const { databaseUrl, pgDirectUrl, redisUrl, ownerKey, webhook } = settings;
  const urls = [databaseUrl, pgDirectUrl, redisUrl, webhook?.url];
  const secrets = [...urls.flatMap(passwordsIn), ...urls, ownerKey, token, ...(webhook?.secrets ?? [])]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** The password of a URL, encoded and decoded. */
function passwordsIn(url: string | undefined): string[] {
  const password = url && URL.canParse(url) ? new URL(url).password : '';
  return password ? [password, decoded(password)] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
