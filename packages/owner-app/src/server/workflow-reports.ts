import { fail, type Parley, ParleyError, quotedName, type TokenClaims } from '@parley/core';
import { headerValues, readBytes, readTarget } from '@parley/http-host';
import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { EVIDENCE_KINDS, parseReport, REPORT_FORMATS, shortReport } from '../reports/test-report.ts';
import { answering, refuseMethod } from './api/answering.ts';

/**
 * The public keys of issuers, read over HTTP. The states of an issuer:
 *
 * | State    | Entered when                        | A token with a known key | A token with an unknown key            |
 * |----------|-------------------------------------|--------------------------|----------------------------------------|
 * | unread   | At the start                        | The keys are read        | The keys are read                      |
 * | read     | The keys were read                  | It is verified           | It is refused for a minute; then the   |
 * |          |                                     |                          | keys are read again                    |
 * | aged     | 10 minutes after the keys were read | The keys are read again  | The keys are read again                |
 * | failed   | A read has failed                   | ISSUER_UNAVAILABLE for 5 s; then the keys are read                |
 *
 * Cannot happen: two reads of an issuer at the same time, and a request to an address that neither the service nor its operator names.
 */

const TIMEOUT_MS = 10_000;
const FRESH_MS = 600_000;
const RELOAD_MS = 60_000;
const RETRY_MS = 5_000;
const MAX_BYTES = 1_000_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

interface Read {
  readonly atMs: number;
  /** Undefined if the read has failed. */
  readonly keys: ReturnType<typeof createLocalJWKSet> | undefined;
}

/** Returns the key of a token of an issuer. Rejects with ParleyError ISSUER_UNAVAILABLE, or with an error of jose. */
type KeyOf = (issuer: string) => JWTVerifyGetKey;

/** @param now returns the current time in milliseconds */
function createIssuerKeys(now: () => number): KeyOf {
  const last = new Map<string, Read>();
  const pending = new Map<string, Promise<Read>>();

  const read = (issuer: string): Promise<Read> => {
    const reading =
      pending.get(issuer) ??
      readKeys(issuer)
        .then(createLocalJWKSet, () => undefined)
        .then((keys) => {
          const done = { atMs: now(), keys };
          last.set(issuer, done);
          pending.delete(issuer);
          return done;
        });
    pending.set(issuer, reading);
    return reading;
  };
  const isOlder = ({ atMs }: Read, ms: number): boolean => now() - atMs >= ms;
  const current = (issuer: string): Read | Promise<Read> => {
    const known = last.get(issuer);
    return known && !isOlder(known, known.keys ? FRESH_MS : RETRY_MS) ? known : read(issuer);
  };

  return (issuer) => async (header, token) => {
    const keysOf = ({ keys }: Read) => keys ?? unavailable(issuer);
    const used = await current(issuer);
    try {
      return await keysOf(used)(header, token);
    } catch (error) {
      const isLast = last.get(issuer) === used;
      if (!(error instanceof errors.JWKSNoMatchingKey) || (isLast && !isOlder(used, RELOAD_MS))) throw error;
      return await keysOf(await (isLast ? read(issuer) : current(issuer)))(header, token);
    }
  };
}

const unavailable = (issuer: string): never =>
  fail('ISSUER_UNAVAILABLE', `The issuer ${issuer} gave no valid answer, so no token of it can be verified now.`, {
    retry_after_seconds: RETRY_MS / 1_000,
  });

/** Reads the keys of an issuer, from the address in its configuration, which must be at the issuer itself. */
async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  const metadata = Metadata.parse(await readJson(`${issuer}/.well-known/openid-configuration`));
  if (metadata.issuer !== issuer || new URL(metadata.jwks_uri).origin !== new URL(issuer).origin)
    throw new Error('The configuration is of another issuer.');
  return Keys.parse(await readJson(metadata.jwks_uri));
}

/** Redirects are not followed, and answers above `MAX_BYTES` are not read to their end. */
async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200 || !response.body) throw new Error(`Answered ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

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
async function verifyToken(token: string, expected: Expected): Promise<TokenClaims> {
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

const SEND_TOKEN =
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

interface ReportRouteOptions {
  readonly parley: Pick<Parley, 'toError' | 'workflowReports'>;
  readonly publicUrl: string | undefined;
  /** Issuers that are allowed beside the public ones. */
  readonly issuers: readonly string[];
  readonly addressOf: (ctx: Context) => string;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

const PREFIX = '/owner/api/ci';
/** Maximum size of a report. JSON of this size is parsed in about 100 ms, during which the process answers nobody. */
const MAX_REPORT_BYTES = 5_000_000;

const Query = z.strictObject({
  format: z.enum(REPORT_FORMATS),
  scenario: z
    .array(z.string().min(1).max(60))
    .min(1)
    .max(20)
    .refine((ids) => new Set(ids).size === ids.length, 'Names a scenario twice.'),
  exit_code: z
    .string()
    .regex(/^-?\d{1,10}$/, 'Must be the exit code of the tests.')
    .transform(Number),
  request_id: z.string().max(200).default(''),
  kind: z.enum(EVIDENCE_KINDS).default('test_report'),
});

/**
 * The route `POST /owner/api/ci/{session_id}?format=junit&scenario=ID&exit_code=0`, to which a workflow sends a test report as the
 * body. It accepts nothing but an OIDC token of a workflow that the owner has bound, whose audience is the address of the route in this
 * session. The token is verified before a byte of the body is read.
 */
export function createReportRoute({
  parley,
  publicUrl,
  issuers: allowed,
  addressOf,
  now,
}: ReportRouteOptions): Middleware {
  const { workflowReports } = parley;
  const keyOf = createIssuerKeys(now);
  return answering({ parley, prefix: PREFIX }, async (ctx) => {
    if (ctx.method !== 'POST') refuseMethod(ctx, ['POST']);
    await workflowReports.count(addressOf(ctx));
    const sessionId =
      /^\/owner\/api\/ci\/([A-Za-z0-9_-]{1,100})$/.exec(ctx.path)?.[1] ?? fail('NOT_FOUND', 'There is no such route.');
    if (publicUrl === undefined)
      return fail('NOT_FOUND', 'This service takes no reports of workflows.', {
        hint: 'The operator sets the address of the service with PARLEY_PUBLIC_URL (--public-url): it is the audience of the tokens.',
      });
    const claims = await verifyToken(tokenOf(ctx), {
      issuers: await workflowReports.issuers(sessionId),
      allowed,
      audience: `${publicUrl}${PREFIX}/${sessionId}`,
      keyOf,
      nowMs: now(),
    });
    const { format, scenario, ...rest } = queryOf(ctx);
    const named = await workflowReports.admit(sessionId, claims, scenario);
    const bytes = await readBytes(ctx.req, MAX_REPORT_BYTES);
    const report = await parseReport(format, bytes, refuseReport);
    const runs = named.map(({ scenario_id, names }) => ({ scenario_id, report: shortReport(names, report) }));
    ctx.body = await workflowReports.report(sessionId, { claims, runs, ...rest });
  });
}

const refuseReport = (reason: string): never =>
  fail('INVALID_INPUT', `The report is refused: ${reason}`, {
    issues: [{ path: 'report', message: `Must be a whole report: ${reason}` }],
    hint: 'Send the report as the test runner wrote it. Nothing was stored.',
  });

function tokenOf(ctx: Context): string {
  const values = headerValues(ctx.req, 'authorization');
  return (
    (values.length === 1 && /^Bearer +([\w-]+\.[\w-]*\.[\w-]*)$/i.exec(values[0] ?? '')?.[1]) ||
    fail('UNAUTHORIZED', 'This route takes the OIDC token of a workflow, and no other token or key.', {
      hint: SEND_TOKEN,
    })
  );
}

/** The query. Only `scenario` may be there more than once. */
function queryOf(ctx: Context): z.output<typeof Query> {
  const query = new URLSearchParams(readTarget(ctx.req.url).query);
  const given = [...new Set(query.keys())].map((name) => {
    const [first, ...more] = query.getAll(name);
    return [name, more.length > 0 || name === 'scenario' ? query.getAll(name) : first];
  });
  const parsed = Query.safeParse({ scenario: [], ...Object.fromEntries(given) });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message, ...issue }) => ({
    path: path.join('.') || ('keys' in issue ? issue.keys.join(', ') : ''),
    message,
  }));
  const [first] = issues;
  return fail('INVALID_INPUT', `The query is refused: ${quotedName(first?.path ?? '')}: ${first?.message}.`, {
    issues,
  });
}
