import type { Deployment } from './deployment.ts';

/** Minimum length of a secret that is removed. A shorter secret could be an ordinary word. */
const SHORTEST = 4;

/**
 * Returns a function that removes every secret of a deployment from a text. Errors of drivers and proxies may contain secrets.
 */
export function secretsRemover({ settings, token }: Pick<Deployment, 'settings' | 'token'>): (text: string) => string {
  const { databaseUrl, pgDirectUrl, redisUrl, ownerKey, webhook } = settings;
  const urls = [databaseUrl, pgDirectUrl, redisUrl, webhook?.url];
  const secrets = [...urls.flatMap(passwordsIn), ...urls, ownerKey, token, ...(webhook?.secrets ?? [])]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** The password in a URL, both percent-encoded and decoded. */
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
