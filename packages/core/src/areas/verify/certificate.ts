import { z } from 'zod';
import { BUILDERS } from '../../kernel/roles.ts';
import { parseOrNull } from '../../kernel/text/json-value.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import { Envelope, KeySet, signersOf } from '../../kernel/token/envelope.ts';
import { EVIDENCE_LEVELS } from '../evidence.ts';
import { named as listed } from '../listing.ts';

/** The type of the payload of every in-toto attestation. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'https://github.com/parley-dev/parley/certification/v1';

/** Where a service publishes the public keys of its certificates. */
export const KEY_SET_PATH = '/.well-known/parley/jwks.json';

const Side = z.enum(BUILDERS);
const Level = z.enum(EVIDENCE_LEVELS);
/** SHA-256 of the reports of the runs of each builder that count as recorded. */
const Reports = z.object({ agent_a: z.array(z.string()), agent_b: z.array(z.string()) });

const File = z.object({ by: Side, filename: z.string(), sha256: z.string() });

/** What a certificate says about a session: in-toto Statement v1. Later versions may add members. */
export const CertificateStatement = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ gitCommit: z.string() }) })).length(2),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.object({
    session_id: z.string(),
    status: z.string(),
    phase: z.string(),
    contract: z.object({ revision_id: z.string(), content_hash: z.string(), manifest_sha256: z.string() }),
    level: Level,
    scenarios: z.array(
      z.object({
        scenario_id: z.string(),
        attempt: z.int(),
        verdict: z.literal('PASS'),
        judged_by: Side,
        level: Level,
        carried_by: z.string().optional(),
        reports: Reports,
        /** What agents attached to the attempt. Absent if they attached nothing. */
        attachments: z.array(File).optional(),
      }),
    ),
    /** The gates that a recorded run had to meet, and the run that met each. Absent if there are none. */
    gates: z
      .array(
        z.object({
          gate_id: z.string(),
          stage: z.string(),
          level: Level,
          message_id: z.int(),
          attachments: z.array(File),
        }),
      )
      .optional(),
    approvals: z.array(
      z.object({
        stage: z.string(),
        given: z.array(z.object({ person: z.object({ id: z.string(), name: z.string() }).nullable(), at: z.string() })),
      }),
    ),
    log: z.object({ seq: z.int(), hash: z.string() }),
    at: z.string(),
    service_version: z.string(),
  }),
});
export type CertificateStatement = z.output<typeof CertificateStatement>;

/** The result of a check: the statement and the ids of the keys that signed it, or what is wrong. */
export type CertificateCheck =
  | { readonly statement: CertificateStatement; readonly signers: readonly string[]; readonly fault?: never }
  | { readonly fault: string; readonly statement?: never; readonly signers?: never };

/**
 * Checks a certificate on this machine: its signature with a key of the set, then the form of what was signed. One signature of a
 * key of the set is enough, as DSSE says.
 *
 * @param text the certificate as the service gave it
 * @param keySet the keys that you trust, as the service publishes them
 */
export function verifyCertificate(text: string, keySet: unknown): CertificateCheck {
  const envelope = Envelope.safeParse(parseOrNull(text.replace(/^\uFEFF/, ''))).data;
  if (!envelope)
    return { fault: 'It is no certificate: it is not a JSON object with payloadType, payload, 1 to 20 signatures.' };
  const keys = KeySet.safeParse(keySet).data;
  if (!keys)
    return { fault: 'The keys are no key set: a JSON object with at most 1000 keys, as a service publishes it.' };
  if (envelope.payloadType !== PAYLOAD_TYPE) return { fault: `Its payloadType is not ${PAYLOAD_TYPE}.` };
  const { signers, known, named } = signersOf(envelope, keys);
  if (known.length === 0) return { fault: 'The key set has no Ed25519 key.' };
  if (signers.length === 0)
    return {
      fault: named.some((kid) => kid === '' || known.includes(kid))
        ? 'Its signature is wrong: it was changed after it was signed.'
        : `No key of the set has signed it: it names ${listed(named.map((kid) => quotedName(kid)))}; the set has ${listed(known)}.`,
    };
  const statement = CertificateStatement.safeParse(
    parseOrNull(Buffer.from(envelope.payload, 'base64').toString()),
  ).data;
  return statement
    ? { statement, signers }
    : { fault: 'It is signed, but what is signed is no certification of Parley.' };
}
