import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { ServiceInfo } from '../../kernel/operation/operation.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import { canonicalJson } from '../../kernel/text/hash.ts';
import { parseOrNull } from '../../kernel/text/json-value.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import { Envelope, KeySet, signersOf } from '../../kernel/token/certificate-keys.ts';
import { isComplete, viewAllApprovals } from '../approvals/rules.ts';
import type { Attachment } from '../attachments/state.ts';
import { EVIDENCE_LEVELS, NoInput } from '../fields.ts';
import { named as listed } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { certificationLevel, gateStandings, requireCertified } from '../verify/certification.ts';
import { levelOfItem, WHOLE_COMMIT } from '../verify/events.ts';
import { declaredCommits, levelOfScenario, passOf, type Scenario, scenariosOf } from '../verify/scenarios.ts';
import type { Attempt } from '../verify/state.ts';

/** The type of the payload of every in-toto attestation. */
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://github.com/parley-dev/parley/certification/v1';

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

type Predicate = CertificateStatement['predicate'];

/** Maximum length of a certificate, so that no answer cuts it. */
const MAX_CHARS = 900_000;

/** Signs what the session certifies: the same state gives the same bytes. */
export const certificate = defineOperation({
  name: 'certificate',
  summary:
    'Make the certificate of a certified session: a signed in-toto statement that others check without this service.',
  access: { owner: true },
  input: NoInput,
  output: z.strictObject({ filename: z.string(), text: z.string().describe('A DSSE envelope, as JSON.') }),
  errors: ['CERTIFICATION_INCOMPLETE', 'LIMIT_EXCEEDED'],

  check(state) {
    requireCertified(state);
    const short = BUILDERS.filter((builder) => !WHOLE_COMMIT.test(declaredCommits(state)[builder]));
    if (short.length > 0)
      fail('CERTIFICATION_INCOMPLETE', `The declared commit is not whole: that of ${short.join(' and ')}.`, {
        hint: `Ask ${short.join(' and ')} to declare the same commit again with all its digits. The passes stay.`,
      });
  },

  reply(state, _input, { service, seal }) {
    const text = `${JSON.stringify(seal(PAYLOAD_TYPE, canonicalJson(statementOf(state, service))))}\n`;
    if (text.length > MAX_CHARS)
      fail('LIMIT_EXCEEDED', 'The certificate is too long: the passes rest on too many reports.', { limit: MAX_CHARS });
    return { filename: `parley-certificate-${state.sessionId}-${state.head.seq}.json`, text };
  },
});

function statementOf(state: SessionState, { version }: ServiceInfo): CertificateStatement {
  const commits = declaredCommits(state);
  return {
    _type: STATEMENT_TYPE,
    subject: BUILDERS.map((role) => ({
      name: [role, state.profile.agents[role].repository].filter(Boolean).join(': '),
      digest: { gitCommit: commits[role] },
    })),
    predicateType: PREDICATE_TYPE,
    predicate: predicateOf(state, version),
  };
}

function predicateOf(state: SessionState, service_version: string): Predicate {
  const { sessionId: session_id, profile, manifest, head, at } = state;
  const { current } = manifest;
  if (!current) throw new Error('A certified session has a manifest.');
  const { revision_id, content_hash, manifest_sha256 } = current;
  return {
    session_id,
    status: profile.status,
    phase: profile.phase,
    contract: { revision_id, content_hash, manifest_sha256 },
    level: certificationLevel(state) ?? 'claimed',
    scenarios: scenariosOf(state).flatMap(viewPass),
    ...metGates(state),
    approvals: viewAllApprovals(state)
      .filter(isComplete)
      .map(({ stage, given }) => ({ stage, given })),
    log: { ...head },
    at,
    service_version,
  };
}

function viewPass(scenario: Scenario): Predicate['scenarios'] {
  const { test, record } = scenario;
  const pass = passOf(record);
  if (!pass?.verdict) return [];
  const attached = scenario.attachments.filter(({ attempt }) => attempt === pass.attempt);
  return [
    {
      scenario_id: test.id,
      attempt: pass.attempt,
      verdict: 'PASS',
      judged_by: pass.verdict.by,
      level: levelOfScenario(scenario) ?? 'claimed',
      ...(record.carried && { carried_by: record.carried.by }),
      reports: { agent_a: reportsOf(pass, 'agent_a'), agent_b: reportsOf(pass, 'agent_b') },
      ...(attached.length > 0 && { attachments: attached.map(fileOf) }),
    },
  ];
}

const fileOf = ({ by, filename, sha256 }: Pick<Attachment, 'by' | 'filename' | 'sha256'>) => ({ by, filename, sha256 });

/** The gates that a run has met. Empty if none is demanded. */
function metGates(state: SessionState): Pick<Predicate, 'gates'> {
  const gates = gateStandings(state).flatMap(({ gate_id, stage, level, message_id, attachments = [] }) =>
    level && message_id !== undefined
      ? [{ gate_id, stage, level, message_id, attachments: attachments.map(fileOf) }]
      : [],
  );
  return gates.length > 0 ? { gates } : {};
}

/** The reports of the runs of a builder that count as recorded. */
const reportsOf = ({ evidence }: Attempt, builder: Builder): string[] => [
  ...new Set(
    evidence.flatMap((item) =>
      item.by === builder && levelOfItem(item) !== 'claimed' ? (item.run?.report_sha256 ?? []) : [],
    ),
  ),
];
