import { hashOf, listOf, uncovered } from '../contracts.ts';
import { isApprovedByBoth } from '../ledger.ts';
import { BUILDERS, isLight, type Seen } from '../seen.ts';
import { bagsDiffer, type Invariant } from './facts.ts';

/** A read returns the contract as it was submitted, and its hash is the SHA-256 of the RFC 8785 form. */
export const bytesAreRight: Invariant = function* ({ now, ledger }) {
  if (!ledger.latest) return;
  const { content_hash, contract } = now.plan();
  if (hashOf(contract) !== content_hash) yield `content_hash ${content_hash} is not that of the contract shown`;
  if (content_hash !== ledger.latest.hash) yield 'the contract shown is not the one that was handed in';
};

/** Only a contract that both builders approved is frozen, and the manifest contains the hash of that contract. */
export const approvalIsRight: Invariant = function* ({ now, ledger }) {
  const { frozen } = ledger;
  if (!frozen) return;
  if (!isApprovedByBoth(frozen.reviews, frozen.hash)) yield `${frozen.id} was approved without both builders' APPROVE`;
  const { manifest } = now.artifacts('agent_a');
  if (!manifest) return;
  const { manifest_sha256, ...rest } = manifest;
  if (manifest.content_hash !== frozen.hash) yield `the manifest names other bytes than were approved`;
  if (manifest.revision_id !== frozen.id) yield `the manifest names ${manifest.revision_id}; ${frozen.id} was approved`;
  if (manifest.shared_contract_sha256 !== frozen.hash) yield 'shared-contract.json is not the approved contract';
  if (manifest_sha256 !== hashOf(rest)) yield 'manifest_sha256 is not that of the manifest';
};

/**
 * A manifest is in force from the approval until the owner requests changes. Then its receipts, reports and authorizations end too.
 */
export const manifestIsRight: Invariant = function* ({ now, ledger }) {
  const { phase, status } = now.session();
  const isFrozen = ledger.frozen !== null;
  if (isFrozen !== /^(READINESS|VERIFY|RELEASE)$/.test(phase)) yield `frozen is ${isFrozen} in ${phase} (${status})`;
  const due = { build: ledger.isBuildAuthorized, isVerify: phase === 'VERIFY' || phase === 'RELEASE' };
  for (const role of BUILDERS) {
    const { manifest, artifacts, authorizations } = now.artifacts(role);
    if ((manifest !== null) !== isFrozen)
      yield `${role} is shown ${manifest?.manifest_id ?? 'no manifest'} in ${phase}`;
    const own = (manifest?.artifacts ?? []).filter(({ assigned_to }) => assigned_to.includes(role));
    if (artifacts.map(({ sha256 }) => sha256).join() !== own.map(({ sha256 }) => sha256).join())
      yield `${role} is shown other artifacts than its own`;
    const { build_authorized, deployment_authorized, activation_authorized } = authorizations;
    if (build_authorized !== due.build || build_authorized !== due.isVerify)
      yield `build_authorized ${build_authorized} in ${phase}`;
    if (deployment_authorized || activation_authorized) yield `authorized beyond the build in ${phase}`;
    if (JSON.stringify(now.state(role).authorizations) !== JSON.stringify(authorizations))
      yield `the state of ${role} shows other flags than list_artifacts`;
  }
  const { readiness } = now.readiness('agent_a');
  if (!isFrozen && readiness.length > 0) yield `readiness is reported without a manifest`;
  const ready = readiness.filter(({ verdict }) => verdict === 'READY_TO_CODE');
  const shown = BUILDERS.flatMap((role) =>
    now.readiness(role).readiness.flatMap(({ by, answers }) => (by === role ? [] : [answers !== undefined])),
  );
  if (ready.length === 2 && shown.includes(false)) yield 'answers are withheld though both builders are ready';
  if (readiness.length === 1 && shown.includes(true)) yield 'answers of the first report on a manifest are shown';
  if (due.isVerify && ready.length !== 2 && !isLight(now)) yield `VERIFY with ${ready.length} builders ready`;
};

/** Yields the codes of the errors in a contract that fits the schema. */
function* errorsIn(contract: Readonly<Record<string, unknown>>, now: Seen): Generator<string> {
  if (contract.fixture_version !== '1') yield 'FIXTURE_VERSION_DIFFERS';
  if (JSON.stringify(contract.tests).includes('test-9')) yield 'UNKNOWN_TEST';
  for (const _id of uncovered(contract)) yield 'REQUIREMENT_NOT_COVERED';
  const named = listOf(contract.decisions);
  for (const { decision_id, status } of now.view().decisions) {
    if (named.includes(decision_id) && status !== 'RESOLVED') yield 'DECISION_NOT_RESOLVED';
    if (!named.includes(decision_id) && status === 'RESOLVED') yield 'RESOLVED_DECISION_OMITTED';
  }
}

/** The errors of the latest revision are the errors of its contract and the errors that the current decisions cause. */
export const validationIsRight: Invariant = function* ({ now }) {
  const { contract, validation_errors } = now.plan();
  const shown = validation_errors.map(({ code }) => code);
  if (contract === null || (typeof contract.title === 'string' && contract.tests !== undefined))
    yield* bagsDiffer('the error', shown, contract ? [...errorsIn(contract, now)] : []);
  else if (shown.length === 0 || shown.some((code) => code !== 'SCHEMA'))
    yield `the schema is broken and the errors are ${shown.join()}`;
};
