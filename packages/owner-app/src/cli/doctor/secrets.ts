import type { Deployment } from './deployment.ts';

/** Shorter ones would take ordinary words out of the text. */
const SHORTEST = 4;

/** Takes every secret of a deployment out of a text: errors of drivers and proxies are not ours to trust. */
export function secretsRemover({ settings, token }: Pick<Deployment, 'settings' | 'token'>): (text: string) => string {
  const { databaseUrl, pgDirectUrl, redisUrl, ownerKey, webhook } = settings;
  const urls = [databaseUrl, pgDirectUrl, redisUrl, webhook?.url];
  const secrets = [...urls.flatMap(passwordsIn), ...urls, ownerKey, token, ...(webhook?.secrets ?? [])]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** As it stands in the URL, and as it is meant. */
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
