import { parseUrl, setting } from '@parley/http-host/program';
import { signingKey } from '../notify/signature.ts';

/** The address of a webhook. It may contain a secret in its path or query, but no user name, password or fragment. */
export const webhookAddress = () =>
  setting('an address such as https://example.com/parley', (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && url.hash === '' && url.username === '' && url.password === '' ? url.href : undefined;
  });

/** One secret, or several separated by spaces. While a new secret replaces an old secret, the setting contains both. */
export const webhookSecrets = () =>
  setting('whsec_ followed by 24 to 64 random bytes in base64', (text): readonly string[] | undefined => {
    const secrets = text.split(/\s+/);
    return secrets.every((secret) => signingKey(secret) !== undefined) ? secrets : undefined;
  });

const HOST_NAME = /^[a-z\d](?:[\w-]*[a-z\d])?(?:\.[a-z\d](?:[\w-]*[a-z\d])?)*$/i;

/** A list of host names without ports. */
export const hostList = () =>
  setting(
    'host names separated by commas, such as parley.internal,agents.example.com, or the word any',
    (text): readonly string[] | 'any' | undefined => {
      if (text === 'any') return text;
      const names = text.split(',').map((name) => name.trim());
      return names.every((name) => HOST_NAME.test(name)) ? names : undefined;
    },
  );
