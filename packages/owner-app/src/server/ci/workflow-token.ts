import { fail, ParleyError, quotedName, type TokenClaims } from '@parley/core';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { KeyOf } from './issuer-keys.ts';

/** Seconds by which the clocks of the issuer and of this machine may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Signatures that only the issuer can make. Of the others, HS256 would take a public key for a secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The issuers whose keys are read without a setting, so that a binding reaches no other host. */
const PUBLIC_ISSUERS = ['https://token.actions.githubusercontent.com', 'https://gitlab.com'];

type Forge = 'github' | 'gitlab';

/**
 * What starts a run whose commit is the pushed one. Runs for pull and merge requests are of a merge commit, and with those of
 * `pull_request_target` and `workflow_run` the code can be that of a stranger.
 */
const STARTED_BY: Readonly<Record<Forge, readonly string[]>> = {
  github: ['push', 'workflow_dispatch'],
  gitlab: ['push', 'web'],
};

const Text = z.string().min(1).max(1_000);
const RunId = z.union([Text, z.int().transform(String)]);
/** The most that `exp` may be, in seconds: a later time has no form that events store. */
const LAST_SECOND = 99_999_999_999;
const Common = { sha: Text, jti: Text, exp: z.number().max(LAST_SECOND) };
/** @see https://docs.github.com/en/actions/reference/security/oidc */
const GitHubClaims = z.object({
  ...Common,
  repository: Text,
  job_workflow_ref: Text,
  ref: Text,
  event_name: Text,
  run_id: RunId,
  run_attempt: RunId.optional(),
});
/** @see https://docs.gitlab.com/ci/secrets/id_token_authentication/ */
const GitLabClaims = z.object({
  ...Common,
  project_path: Text,
  ci_config_ref_uri: Text,
  ref: Text,
  ref_type: z.enum(['branch', 'tag']),
  pipeline_source: Text,
  pipeline_id: RunId,
  job_id: RunId,
});

interface Expected {
  /** The forge of each issuer that the session accepts. */
  readonly issuers: ReadonlyMap<string, Forge>;
  /** Further issuers that the operator allows. */
  readonly allowed: readonly string[];
  readonly audience: string;
  readonly keyOf: KeyOf;
  readonly nowMs: number;
}

/**
 * Verifies a token of an issuer that the session accepts: signature, audience, times, and what started the run.
 *
 * @returns its claims in the form of Parley
 * @throws ParleyError UNAUTHORIZED, ISSUER_UNAVAILABLE
 */
export async function verifyToken(token: string, expected: Expected): Promise<TokenClaims> {
  const { audience, keyOf, nowMs } = expected;
  const { issuer, forge } = issuerIn(token, expected);
  const { payload } = await jwtVerify(token, keyOf(issuer), {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(nowMs),
    requiredClaims: ['exp', 'jti'],
  }).catch((error: unknown) => refuseToken(error, audience));
  return forge === 'github' ? claimsOfGitHub(issuer, payload) : claimsOfGitLab(issuer, payload);
}

function issuerIn(token: string, { issuers, allowed }: Expected): { readonly issuer: string; readonly forge: Forge } {
  const issuer = issuerNamedIn(token);
  const forge = issuers.get(issuer);
  if (!forge) return refuse(`This session accepts no tokens of the issuer ${quotedName(issuer, 300)}.`, BIND);
  if (!PUBLIC_ISSUERS.includes(issuer) && !allowed.includes(issuer))
    refuse(
      `This service reads no keys of the issuer ${quotedName(issuer, 300)}.`,
      'The operator of the service can allow it with PARLEY_CI_ISSUERS (--ci-issuers).',
    );
  return { issuer, forge };
}

function issuerNamedIn(token: string): string {
  try {
    return z.string().parse(decodeJwt(token).iss);
  } catch {
    return refuse('The Authorization header has no OIDC token of a workflow.', SEND_TOKEN);
  }
}

export const SEND_TOKEN =
  'Send exactly one header "Authorization: Bearer <OIDC token>", with the token that the issuer gave the job.';
const BIND = 'Ask the owner to bind the workflow with bindWorkflow.';

const refuse = (message: string, hint: string): never => fail('UNAUTHORIZED', message, { hint });

function refuseToken(error: unknown, audience: string): never {
  if (error instanceof ParleyError) throw error;
  if (!(error instanceof errors.JOSEError))
    return refuse('The key that the issuer publishes for the token cannot be used.', AGAIN);
  if (error instanceof errors.JWTExpired) return refuse('The token has expired.', AGAIN);
  if (error instanceof errors.JWKSNoMatchingKey)
    return refuse('The token is signed with a key that its issuer did not publish at the last look.', LATER);
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'aud'
      ? refuse('The token is for another audience.', `Request a token for the audience ${audience}.`)
      : refuse(`The claim ${error.claim} of the token is missing or not valid now.`, AGAIN);
  if (error instanceof errors.JOSEAlgNotAllowed) return refuse('The token is not signed by its issuer.', AGAIN);
  return refuse('The signature of the token is not valid.', AGAIN);
}

const AGAIN = 'Request a new token, and send it at once.';
const LATER =
  'Send the report again in a minute, with a new token: the keys of an issuer are read again once a minute at most.';

function claimsOfGitHub(issuer: string, payload: JWTPayload): TokenClaims {
  const { repository, job_workflow_ref, ref, event_name, run_id, run_attempt, ...common } = read(GitHubClaims, payload);
  requireStart('github', event_name);
  const run = run_attempt === undefined ? run_id : `${run_id}/${run_attempt}`;
  return { issuer, repository, workflow: job_workflow_ref, ref, run_id: run, ...commonClaims(common) };
}

/** GitLab names a workflow as `gitlab.com/acme/shop//.gitlab-ci.yml@refs/heads/main`. */
function claimsOfGitLab(issuer: string, payload: JWTPayload): TokenClaims {
  const claims = read(GitLabClaims, payload);
  const { project_path: repository, ci_config_ref_uri, ref, ref_type, pipeline_source, ...common } = claims;
  requireStart('gitlab', pipeline_source);
  const before = `${issuer.replace(/^https?:\/\//, '')}/${repository}//`;
  return {
    issuer,
    repository,
    workflow: ci_config_ref_uri.startsWith(before)
      ? `${repository}/${ci_config_ref_uri.slice(before.length)}`
      : ci_config_ref_uri,
    ref: `refs/${ref_type === 'tag' ? 'tags' : 'heads'}/${ref}`,
    run_id: `${claims.pipeline_id}/${claims.job_id}`,
    ...commonClaims(common),
  };
}

const commonClaims = ({ sha, jti, exp }: { readonly sha: string; readonly jti: string; readonly exp: number }) => ({
  commit: sha,
  token_id: jti,
  expires_at: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1_000).toISOString(),
});

function read<T>(form: z.ZodType<T>, payload: JWTPayload): T {
  const parsed = form.safeParse(payload);
  if (parsed.success) return parsed.data;
  const claim = String(parsed.error.issues[0]?.path[0]);
  return refuse(`The claim ${claim} of the token is missing or has another form.`, BIND);
}

function requireStart(forge: Forge, event: string): void {
  const accepted = STARTED_BY[forge];
  if (!accepted.includes(event))
    refuse(
      `The run was started by ${quotedName(event)}, and counts only if ${accepted.join(' or ')} started it.`,
      'Let the workflow run for the push of the declared commit. Runs for pull and merge requests do not count.',
    );
}
