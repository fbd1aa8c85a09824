import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import { type CertificateKeys, isPublicKey, keyId, publicKeyOf } from './certificate-keys.ts';

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
