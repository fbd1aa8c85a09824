import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { ServiceInfo } from '../../kernel/operation/operation.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import { canonicalJson } from '../../kernel/text/canonical.ts';
import { isComplete, viewAllApprovals } from '../approvals/rules.ts';
import type { Attachment } from '../attachments/state.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { type CertificateStatement, PAYLOAD_TYPE, PREDICATE_TYPE, STATEMENT_TYPE } from '../verify/certificate.ts';
import { certificationLevel, requireCertified } from '../verify/certification.ts';
import { gateStandings } from '../verify/gates.ts';
import { levelOfItem, WHOLE_COMMIT } from '../verify/run.ts';
import { declaredCommits, levelOfScenario, passOf, type Scenario, scenariosOf } from '../verify/scenarios.ts';
import type { Attempt } from '../verify/state.ts';

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
