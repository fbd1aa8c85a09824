import { createHmac, createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';

/** A public Ed25519 key as a JWK (RFC 8037). `kid` is the thumbprint of the key (RFC 7638). */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** Keys of the operator, in place of the key that is derived from the secret of the installation. */
export interface GivenKeys {
  /** 32 random bytes: the private Ed25519 key that signs. */
  readonly signs: Uint8Array;
  /** `x` of the public keys that signed before. They stay published, so that older certificates can be checked. */
  readonly retired?: readonly string[];
}

/** The key that signs certificates, and the public keys that are published, its own first. */
export interface CertificateKeys {
  readonly privateKey: KeyObject;
  readonly published: readonly [PublicKey, ...PublicKey[]];
}

/** What comes before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** 32 bytes in base64url. The last letter has two bits more, which are 0, so that a key has one spelling and one id. */
const PUBLIC = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

const P = 2n ** 255n - 19n;
const Y8 = 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The y of the points of small order: anybody can sign for them (RFC 8032, 5.1; RFC 7748, 7). */
const SMALL = new Set([0n, 1n, P - 1n, Y8, P - Y8]);

/** The y of a point: 255 bits, the first byte the lowest. */
const yOf = (x: string): bigint =>
  (BigInt(`0x${Buffer.from(x, 'base64url').reverse().toString('hex')}`) % 2n ** 255n) % P;

/** Whether a text is the member `x` of a public Ed25519 key that only its holder can sign for. */
export const isPublicKey = (x: string): boolean => PUBLIC.test(x) && !SMALL.has(yOf(x));

const publicJwk = (x: string): PublicKey => ({ ...partsOf(x), kid: keyId(x), alg: 'EdDSA', use: 'sig' });
const partsOf = (x: string) => ({ crv: 'Ed25519', kty: 'OKP', x }) as const;

/** The thumbprint of a public key: the hash of its necessary members, in this order. */
const keyId = (x: string): string => hash('sha256', JSON.stringify(partsOf(x)), 'base64url');

const publicKeyOf = (x: string): KeyObject => createPublicKey({ key: partsOf(x), format: 'jwk' });

/**
 * Opens the keys of an installation. Every process of it has the same.
 *
 * @param secret the secret of the installation
 * @throws TypeError if `signs` has not 32 bytes, or a key of `retired` is not a public Ed25519 key
 */
export function openCertificateKeys(secret: string, given?: GivenKeys): CertificateKeys {
  const { signs, retired = [] } = given ?? {
    signs: createHmac('sha256', secret).update('parley certificate').digest(),
  };
  if (signs.length !== 32) throw new TypeError('certificateKeys.signs must have 32 bytes.');
  const wrong = retired.findIndex((x) => !isPublicKey(x));
  if (wrong >= 0) throw new TypeError(`certificateKeys.retired[${wrong}] must be the x of a public Ed25519 key.`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, signs]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, published: [publicJwk(x), ...retired.filter((one) => one !== x).map(publicJwk)] };
}

/** The envelope of a signed text (DSSE 1.0). Its members are named by that specification. */
export const Envelope = z.object({
  payloadType: z.string().max(200),
  payload: z.base64(),
  signatures: z
    .array(z.object({ keyid: z.string().optional().catch(undefined), sig: z.base64() }))
    .min(1)
    .max(20),
});
export type Envelope = z.output<typeof Envelope>;

/** A set of keys (RFC 7517). Members and keys of other kinds are ignored. */
export const KeySet = z.object({ keys: z.array(z.looseObject({})).max(1_000) });
type KeySet = z.output<typeof KeySet>;

/** The bytes that are signed (DSSE, PAE): the type and the text, each with its length. */
export const signedBytes = (type: string, text: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${text.length} `), text]);

/** Signs a text with Ed25519. The same text and key give the same envelope. */
export function sealed(type: string, text: string, { privateKey, published: [own] }: CertificateKeys): Envelope {
  const payload = Buffer.from(text);
  const sig = sign(null, signedBytes(type, payload), privateKey).toString('base64');
  return { payloadType: type, payload: payload.toString('base64'), signatures: [{ keyid: own.kid, sig }] };
}

/**
 * The ids of the keys of a set that have signed an envelope, and of those that it names. A name is a hint, as DSSE says: whoever
 * changes it changes nothing.
 */
export function signersOf({ payloadType, payload, signatures }: Envelope, { keys }: KeySet) {
  const bytes = signedBytes(payloadType, Buffer.from(payload, 'base64'));
  const known = new Map(keys.flatMap((key) => (isEd25519(key) ? [[keyId(key.x), key.x] as const] : [])));
  const named = signatures.map(({ keyid }) => keyid ?? '');
  const signers = signatures.flatMap(({ sig }) =>
    [...known].flatMap(([kid, x]) => (verify(null, bytes, publicKeyOf(x), Buffer.from(sig, 'base64')) ? [kid] : [])),
  );
  return { signers: [...new Set(signers)], known: [...known.keys()], named };
}

const isEd25519 = (key: Readonly<Record<string, unknown>>): key is { readonly x: string } =>
  key.kty === 'OKP' && key.crv === 'Ed25519' && typeof key.x === 'string' && isPublicKey(key.x);
