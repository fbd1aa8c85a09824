import { describe, expect, test } from 'vitest';
import { createMemoryStorage, createParley } from '../../../src/index.ts';
import {
  isPublicKey,
  openCertificateKeys,
  sealed,
  signedBytes,
  signersOf,
} from '../../../src/kernel/token/certificate-keys.ts';

/** Test 1 of RFC 8032; its public key is the one of RFC 8037, whose thumbprint is in its appendix A.3. */
const SEED = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const DERIVED = 'OGxJ-qSJWiufOGUxrKo3o5Hf1Nqmfyev-af8uh9z0ts';

describe('openCertificateKeys', () => {
  test('gives a key the public key and the id that the RFCs name', () => {
    const { published } = openCertificateKeys('', { signs: SEED });
    expect(published).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: X, kid: KID, alg: 'EdDSA', use: 'sig' }]);
  });

  test('derives a key from the secret of the installation, and keeps the keys before it published', () => {
    const xs = (...args: Parameters<typeof openCertificateKeys>) =>
      openCertificateKeys(...args).published.map(({ x }) => x);
    expect(xs('ab'.repeat(32))).toEqual([DERIVED]);
    expect(xs('', { signs: SEED, retired: [DERIVED, X] })).toEqual([X, DERIVED]);
  });

  test('is the same in every process of an installation, and another in each installation', async () => {
    const storage = createMemoryStorage();
    const [one, two] = await Promise.all([createParley({ storage }), createParley({ storage })]);
    const other = await createParley({ storage: createMemoryStorage() });
    const own = await createParley({ storage, certificateKeys: { signs: SEED } });
    expect(two.keySet).toEqual(one.keySet);
    expect(other.keySet).not.toEqual(one.keySet);
    expect(own.keySet.keys.map(({ kid }) => kid)).toEqual([KID]);
    for (const parley of [one, two, other, own]) await parley.close();
  });

  test.each([
    [{ signs: Buffer.alloc(31) }, 'certificateKeys.signs must have 32 bytes.'],
    [{ signs: SEED, retired: [X, `${X}A`] }, 'certificateKeys.retired[1] must be the x of a public Ed25519 key.'],
  ])('refuses what is no key', (given, fault) => {
    expect(() => openCertificateKeys('', given)).toThrow(new TypeError(fault));
  });
});

/** The points of small order, as libsodium lists them: low bytes first, in hex. */
const SMALL = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(31)}`,
];

test.each(SMALL)('the point %s is no public key, because anybody can sign for it', (hex) => {
  expect(isPublicKey(Buffer.from(hex, 'hex').toString('base64url'))).toBe(false);
});

describe('an envelope', () => {
  const envelope = sealed('http://example.com/HelloWorld', 'hello world', openCertificateKeys('', { signs: SEED }));
  const keys = {
    keys: [
      { kty: 'RSA', n: 'x' },
      { kty: 'OKP', crv: 'Ed25519', x: X, kid: 'what a set says counts for nothing' },
    ],
  };

  test('signs the bytes of the example of DSSE', () => {
    expect(signedBytes('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
    expect(signedBytes('', Buffer.from('\u00e9')).toString()).toBe('DSSEv1 0  2 \u00e9');
  });

  test('has the signature that another implementation makes', () => {
    expect(envelope).toEqual({
      payloadType: 'http://example.com/HelloWorld',
      payload: 'aGVsbG8gd29ybGQ=',
      signatures: [
        { keyid: KID, sig: '4DHX3Zn4qpBKvEj7maE8O9u9bjXEnPLLnyXVUJ2PXJR8DSLcL3QDpFvfJOj3pB/SPHsl6Jg4boxsMb6KvuYABw==' },
      ],
    });
  });

  test('names the keys of the set that signed it, also without the id of the key', () => {
    const [own] = envelope.signatures;
    expect(signersOf(envelope, keys)).toEqual({ signers: [KID], known: [KID], named: [KID] });
    const nameless = { ...envelope, signatures: [{ sig: own?.sig ?? '' }] };
    expect(signersOf(nameless, keys)).toEqual({ signers: [KID], known: [KID], named: [''] });
  });
});
