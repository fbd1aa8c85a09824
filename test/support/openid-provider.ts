import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

export const CLIENT_ID = 'parley';
export const CLIENT_SECRET = 'a secret of the client, 32 chars';

/** All providers use the same key, because generating an RSA key takes longer than a sign-in. */
const SIGNING_KEY = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
};

/** An account at the provider. Its id is the name typed into the login form. */
interface TestAccount {
  name?: unknown;
  groups?: unknown;
}

/** A real OpenID provider that listens at 127.0.0.1. */
export interface TestProvider {
  readonly issuer: string;
  readonly provider: Provider;
  /** Maps each id to its account. A test may change the accounts at any time. */
  readonly accounts: Map<string, TestAccount>;
  close(): Promise<void>;
}

interface TestProviderOptions {
  /** The address of the service that signs people in. */
  readonly publicUrl: string;
  /** Whether the client has a secret. Default true. */
  readonly isConfidential?: boolean;
  /** Whether the ID token contains name and groups too. Default false: only the userinfo endpoint returns them. */
  readonly hasClaimsInToken?: boolean;
}

export async function openProvider({
  publicUrl,
  isConfidential = true,
  hasClaimsInToken = false,
}: TestProviderOptions): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, TestAccount>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        ...(isConfidential
          ? { client_secret: CLIENT_SECRET, token_endpoint_auth_method: 'client_secret_post' as const }
          : { token_endpoint_auth_method: 'none' as const }),
        redirect_uris: [`${publicUrl}/owner/sign-in/callback`],
        post_logout_redirect_uris: [`${publicUrl}/owner/`],
      },
    ],
    jwks: { keys: [SIGNING_KEY] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !hasClaimsInToken,
    findAccount: (_ctx, id) =>
      accounts.has(id) ? { accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) } : undefined,
    // Grants every consent, so that the provider shows only the login form.
    async loadExistingGrant(ctx) {
      const { client, session, provider: own } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
  });
  server.on('request', provider.callback());
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { issuer, provider, accounts, close };
}

/** A client that keeps cookies as a browser does, by their path. */
export interface Walker {
  /** Sends a request. Returns the answer without following a redirect. */
  go(url: string, init?: RequestInit): Promise<Response>;
  /** Signs in at the provider. Returns the address to which the provider sends the browser back. */
  signInAt(authorizationUrl: string, account: string): Promise<string>;
}

export function createWalker(): Walker {
  const cookies = new Map<string, { readonly path: string; readonly pair: string }>();
  const go: Walker['go'] = async (url, init = {}) => {
    const { pathname } = new URL(url);
    const sent = [...cookies.values()].filter(({ path }) => pathname.startsWith(path)).map(({ pair }) => pair);
    const headers = { ...init.headers, ...(sent.length > 0 ? { cookie: sent.join('; ') } : {}) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const path = attributes.find((one) => one.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
      const name = pair.split('=')[0] ?? '';
      const isGone = /expires=Thu, 01 Jan 1970/i.test(line);
      if (isGone) cookies.delete(`${name} ${path}`);
      else cookies.set(`${name} ${path}`, { path, pair });
    }
    return response;
  };
  return {
    go,
    async signInAt(authorizationUrl, account) {
      const { origin } = new URL(authorizationUrl);
      let response = await go(authorizationUrl);
      for (;;) {
        const location = response.headers.get('location');
        if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
        const next = new URL(location, origin);
        if (next.origin !== origin) return next.href;
        response = next.pathname.startsWith('/interaction/')
          ? await go(next.href, { method: 'POST', body: new URLSearchParams({ prompt: 'login', login: account }) })
          : await go(next.href);
      }
    },
  };
}
