import { isAbsolute } from 'node:path';
import { type GivenKeys, isPublicKey } from '@parley/core';
import { parseUrl, setting } from '@parley/http-host/program';
import { parseRoles } from '../company/role-mapping.ts';
import { signingKey } from '../notify/post.ts';

/**
 * The address of a webhook. Its path or query may contain a secret. A user name, a password or a fragment is refused.
 */
export const webhookAddress = () =>
  setting('an address such as https://example.com/parley', (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && url.hash === '' && url.username === '' && url.password === '' ? url.href : undefined;
  });

/**
 * A secret, or several secrets separated by spaces. While a new secret replaces an old secret, the setting contains
 * both.
 */
export const webhookSecrets = () =>
  setting('whsec_ followed by 24 to 64 random bytes in base64', (text): readonly string[] | undefined => {
    const secrets = text.split(/\s+/);
    return secrets.every((secret) => signingKey(secret) !== undefined) ? secrets : undefined;
  });

const SIGNING_KEY = /^certkey_([A-Za-z0-9+/]{43}=)$/;

/** The key that signs certificates, and the public keys of earlier certificates, separated by spaces. */
export const certificateKeys = () =>
  setting(
    'certkey_ and 32 random bytes in base64, then, separated by spaces, the x of public keys that stay published',
    (text): GivenKeys | undefined => {
      const [own = '', ...retired] = text.split(/\s+/);
      const [, seed] = SIGNING_KEY.exec(own) ?? [];
      return seed && retired.every(isPublicKey) ? { signs: Buffer.from(seed, 'base64'), retired } : undefined;
    },
  );

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The issuer of an OpenID provider, exactly as the provider's configuration contains it. An address without TLS is
 * accepted only for this machine.
 */
export const issuerAddress = () =>
  setting('an address such as https://login.example.com/realms/company', (text) => (isIssuer(text) ? text : undefined));

function isIssuer(text: string): boolean {
  const url = parseUrl(text, ['http:', 'https:']);
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isPlain === true && (url?.protocol === 'https:' || LOOPBACK.test(url?.hostname ?? ''));
}

export const issuerList = () =>
  setting(
    'addresses separated by commas, such as https://gitlab.example.com',
    (text): readonly string[] | undefined => {
      const issuers = text.split(',').map((issuer) => issuer.trim());
      return issuers.every(isIssuer) ? issuers : undefined;
    },
  );

export const roleMapping = () =>
  setting(
    'groups and their roles, such as parley-admins=approver,developers=operator,*=viewer, where * is everybody',
    parseRoles,
  );

/** Headers that already have another meaning for this service or for proxies. The settings refuse these names. */
const OTHER_HEADERS = new Set([
  'authorization',
  'cookie',
  'host',
  'origin',
  'parley-page-key',
  'parley-proxy-secret',
  'x-forwarded-for',
]);

/** The name of a header in which a proxy sends the user or the groups. */
export const headerName = () =>
  setting('the name of a header such as X-Forwarded-User', (text) =>
    /^[A-Za-z][A-Za-z\d-]{0,99}$/.test(text) && !OTHER_HEADERS.has(text.toLowerCase()) ? text : undefined,
  );

const S3_ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/((?:[\w.-]+\/)*[\w.-]+)?\/?)?$/;

/**
 * The absolute path of a folder, or a bucket and the beginning of its keys. A relative path is refused, because it
 * would depend on the folder in which the server starts.
 */
export const archivePlace = () =>
  setting('the absolute path of a folder, or an address such as s3://bucket/prefix', (text) => {
    if (text.length > 4_096) return undefined;
    if (isAbsolute(text)) return { kind: 'folder', folder: text } as const;
    const [, bucket, path = ''] = S3_ADDRESS.exec(text) ?? [];
    if (!bucket || path.length > 800 || path.split('/').some((part) => part === '.' || part === '..')) return undefined;
    return { kind: 's3', bucket, prefix: path && `${path}/` } as const;
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
