// Runs the tests of a job, and sends their report to Parley with the OIDC token of the job. Needs Node 20 and no package.
// The environment is that of action.yml. PARLEY_ID_TOKEN is the token where the forge hands it to the job, as GitLab does.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { env } = process;
const { PARLEY_ADDRESS = '', PARLEY_SCENARIOS = '', PARLEY_RUN = '', PARLEY_REPORT = 'report.xml' } = env;
const { PARLEY_FORMAT = 'junit', PARLEY_REQUEST_ID = '', PARLEY_WAIT_SECONDS = '300' } = env;
const { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN, PARLEY_ID_TOKEN, ...others } = env;
/** Milliseconds after which an answer counts as missing. */
const TIMEOUT_MS = 60_000;
const WAIT_SECONDS = Number(PARLEY_WAIT_SECONDS);
const PAUSE_SECONDS = WAIT_SECONDS / 20;

function give(message) {
  console.error(`parley: ${message}`);
  process.exit(1);
}

function markOf(file) {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {};
  return `${ino} ${size} ${mtimeNs}`;
}

/** Runs the tests, without what could request a token, and returns their exit code. */
function runTests() {
  const before = markOf(PARLEY_REPORT);
  const { status, error } = spawnSync(PARLEY_RUN, { shell: true, stdio: 'inherit', env: others });
  if (error) give(`the command cannot be run: ${error.message}`);
  if (markOf(PARLEY_REPORT) === before) give(`the command has not written ${PARLEY_REPORT}; nothing was sent.`);
  return status ?? 255;
}

async function requestToken() {
  if (PARLEY_ID_TOKEN) return PARLEY_ID_TOKEN;
  if (!ACTIONS_ID_TOKEN_REQUEST_URL)
    give('the job has no OIDC token; on GitHub it needs the permission id-token: write.');
  const url = `${ACTIONS_ID_TOKEN_REQUEST_URL}&audience=${encodeURIComponent(PARLEY_ADDRESS)}`;
  const headers = { authorization: `Bearer ${ACTIONS_ID_TOKEN_REQUEST_TOKEN}` };
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) give(`the request for an OIDC token was answered ${answer.status}.`);
  return (await answer.json()).value;
}

async function send(exitCode, body) {
  const query = new URLSearchParams({ format: PARLEY_FORMAT, exit_code: String(exitCode) });
  for (const scenario of PARLEY_SCENARIOS.split(/\s+/).filter(Boolean)) query.append('scenario', scenario);
  if (PARLEY_REQUEST_ID) query.set('request_id', PARLEY_REQUEST_ID);
  const response = await fetch(`${PARLEY_ADDRESS}?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await requestToken()}`, 'content-type': 'application/octet-stream' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, answer: await response.json() };
}

/** Whether it may help to send the report again: the commit can be declared after the push that started this job. */
const isPassing = ({ status, answer }) => status === 503 || status === 429 || answer.error === 'HANDSHAKE_INCOMPLETE';

async function sendUntilTaken(exitCode, body) {
  const end = Date.now() + 1_000 * WAIT_SECONDS;
  for (;;) {
    const sent = await send(exitCode, body).catch((error) => ({ status: 503, answer: { message: String(error) } }));
    if (sent.status === 200) return sent.answer;
    const { message, hint = '', retry_after_seconds: pause = PAUSE_SECONDS } = sent.answer;
    if (!isPassing(sent) || Date.now() + 1_000 * pause > end) give(`${message} ${hint}`);
    console.error(`parley: ${message} Trying again in ${pause} s.`);
    await sleep(1_000 * pause);
  }
}

if (!/^https?:\/\//.test(PARLEY_ADDRESS)) give('PARLEY_ADDRESS (the input address) is missing.');
const exitCode = runTests();
const { scenarios } = await sendUntilTaken(exitCode, readFileSync(PARLEY_REPORT));
for (const { scenario_id, attempt, evaluation } of scenarios) {
  console.log(`${scenario_id}: ${attempt === null ? 'waits for the next attempt' : `evidence of attempt ${attempt}`}`);
  for (const text of [...(evaluation?.failing ?? []), ...(evaluation?.missing ?? [])]) console.log(`  ${text}`);
}
process.exit(exitCode);
