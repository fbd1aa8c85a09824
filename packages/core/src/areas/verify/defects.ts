import { fail } from '../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Builder, Role } from '../../kernel/roles.ts';
import { openFindings } from '../findings/rules.ts';
import type { Finding } from '../findings/state.ts';
import { recordIn } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { type Defect, isSameCommit, type VerifyState } from './state.ts';

export const defectOf = ({ defects }: VerifyState, id: string): Defect => recordIn(defects, 'defect', id);

export const isStanding = ({ status }: Defect): boolean => status === 'OPEN' || status === 'FIXED';

/** Refuses the call if the defect is neither open nor fixed. */
export function standingDefect(verify: VerifyState, id: string): Defect {
  const defect = defectOf(verify, id);
  return isStanding(defect)
    ? defect
    : fail('DEFECT_CLOSED', `Defect ${id} is already settled: it is ${defect.status}.`, { status: defect.status });
}

/** Whether the builder, after the failure that the defect records, has declared a commit other than the failed one. */
export function hasNewCommit({ handshakes }: VerifyState, { failed_seq, commits }: Defect, builder: Builder): boolean {
  const own = handshakes[builder];
  return own !== undefined && own.commit_seq > failed_seq && !isSameCommit(own.commit, commits[builder]);
}

/** The open defects whose fix needs another commit, which makes every pass stale. */
export const unfixedDefects = (verify: VerifyState): Defect[] =>
  valuesOf(verify.defects).filter(
    (defect) => defect.status === 'OPEN' && !hasNewCommit(verify, defect, defect.assigned_to),
  );

/** The text between the repository and the hash in the address of a commit, for each known host. */
const COMMIT_PATHS: ReadonlyMap<string, string> = new Map([
  ['github.com', 'commit'],
  ['gitlab.com', '-/commit'],
  ['bitbucket.org', 'commits'],
  ['codeberg.org', 'commit'],
  ['gitea.com', 'commit'],
  ['git.sr.ht', 'commit'],
]);

/**
 * Matches `https://host/path` and `ssh://host/path`. A user before the host, and the port 22 after it, are optional.
 */
const ADDRESS = /^(?:https|ssh):\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+)(?::22)?\/(.+)$/;
/** Matches `git@host:path`, the short form of an ssh address. */
const SHORT_SSH = /^[A-Za-z0-9._-]+@([A-Za-z0-9.-]+):(.+)$/;
const PATH = /^[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)+$/;

/**
 * The https address of the web page that shows a commit. Null if the repository is not an https or ssh address on a
 * known host.
 * @param repository the repository of an agent as the owner wrote it; it may be any text
 */
export function commitAddress(repository: string, commit: string): string | null {
  const [, host = '', rest = ''] = ADDRESS.exec(repository) ?? SHORT_SSH.exec(repository) ?? [];
  const kind = COMMIT_PATHS.get(host.toLowerCase());
  const path = rest.replace(/\/+$/, '').replace(/\.git$/, '');
  const isPath = PATH.test(path) && !path.split('/').some((part) => part === '.' || part === '..');
  return kind !== undefined && isPath ? `https://${host.toLowerCase()}/${path}/${kind}/${commit}` : null;
}

/** An open finding in which the builder that must fix an open defect says that the other builder must fix it. */
export interface DefectDispute {
  readonly defect: Defect;
  readonly finding: Finding;
}

/**
 * The defect that a finding of the role disputes: `target` is the id of an open defect that is assigned to this role.
 * Undefined for any other target.
 */
export function disputedDefect({ verify }: SessionState, role: Role, target = ''): Defect | undefined {
  const defect = lookUp(verify.defects, target);
  return defect?.status === 'OPEN' && defect.assigned_to === role ? defect : undefined;
}

/** The open findings that dispute an open defect, oldest first, each with its defect. */
export const defectDisputes = (state: SessionState): DefectDispute[] =>
  openFindings(state.findings).flatMap((finding) => {
    const defect = disputedDefect(state, finding.raised_by, finding.target ?? undefined);
    return defect ? [{ defect, finding }] : [];
  });

/** The oldest finding that disputes a defect. Undefined if the defect is not disputed. */
export const disputeOf = (state: SessionState, defectId: string): Finding | undefined =>
  defectDisputes(state).find(({ defect }) => defect.defect_id === defectId)?.finding;
