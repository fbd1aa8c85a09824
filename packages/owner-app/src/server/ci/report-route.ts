import { fail, type Parley, quotedName } from '@parley/core';
import { headerValues, readBytes, readTarget } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { shortReport } from '../../reports/short-report.ts';
import { EVIDENCE_KINDS, parseReport, REPORT_FORMATS } from '../../reports/test-report.ts';
import { answering, refuseMethod } from '../api/answering.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { SEND_TOKEN, verifyToken } from './workflow-token.ts';

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
