import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** All issuers use the same key, because generating an RSA key takes long. */
const KEY = pair();

export interface SigningOptions {
  readonly key?: KeyObject | Uint8Array;
  readonly alg?: string;
  readonly kid?: string;
}

/** An issuer of OIDC tokens for workflows, which listens at 127.0.0.1. */
export async function openIssuer() {
  const seen: string[] = [];
  const published = { keys: [{ ...(await exportJWK(KEY.publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' }] };
  /** What a path answers instead: a status, and the body or the headers. */
  const instead = new Map<string, (reply: (status: number, body?: unknown, headers?: object) => void) => void>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    const reply = (status: number, body: unknown = '', headers: object = {}) =>
      void response.writeHead(status, { ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
    const other = instead.get(path);
    if (other) return other(reply);
    if (path === '/jwks') return reply(200, published);
    if (path === '/.well-known/openid-configuration') return reply(200, { issuer, jwks_uri: `${issuer}/jwks` });
    // What GitHub gives a job: a token for the audience that the job names.
    const { pathname, searchParams } = new URL(path, issuer);
    if (pathname !== '/token' || request.headers.authorization !== 'Bearer the job') return reply(404);
    void sign({ ...job, aud: searchParams.get('audience') ?? '' }).then((value) => reply(200, { value }));
  });
  const listen = (port = 0) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen();
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const close = () => new Promise((resolve) => server.close(resolve) && server.closeAllConnections());
  onTestFinished(async () => void (await close()));
  /** The claims of the tokens that a job gets. */
  let job: object = {};
  const sign = (claims: object, { key = KEY.privateKey, alg = 'RS256', kid = 'k1' }: SigningOptions = {}) => {
    const now = Math.floor(Date.now() / 1_000);
    const times = { iat: now, nbf: now, exp: now + 300, jti: randomUUID() };
    return new SignJWT({ iss: issuer, ...times, ...claims }).setProtectedHeader({ alg, kid }).sign(key);
  };
  return {
    ...{ issuer, seen, published, instead, sign, close },
    reopen: () => listen(port),
    runJob: (claims: object) => {
      job = claims;
    },
    publicKey: KEY.publicKey,
    otherKey: () => pair().privateKey,
  };
}
