import { MODERATION, OVERSIGHT } from '../model/moves/moderator-moves.ts';
import { openFindings } from '../model/moves/picks.ts';
import { by } from '../model/starting-states.ts';
import type { Call, Payload } from '../model/world.ts';
import { type Builder, CHECKS, other } from './build.ts';
import type { Item, Seen } from './seen.ts';

/**
 * Chooses the next call from the views `now`, a builder, and a number that selects one of the possible calls. Returns
 * null if no call is possible.
 */
type Move = (now: Seen, who: Builder, n: number) => Call | null;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

/** `aaaaaaa` and `ddddddd` are shorter forms of other commits in this list; `AAAAAAA1` is also in other letter case. */
const COMMITS = ['aaaaaaa', 'AAAAAAA1', 'bbbbbbb2', 'ccccccc3', 'ddddddd', 'dddddddD4', 'eeeeeee5'];
const FAILED = [{ name: 'count', expected: 2, actual: 1, passed: false }];

/** Returns a commit that differs from the declared commit. */
const freshCommit = (now: Seen, who: Builder, n: number): string => {
  const declared = now.board().handshakes[who]?.commit ?? '';
  return (
    pick(
      ['aaaaaaa1', 'bbbbbbb2', 'ccccccc3', 'ddddddd4', 'eeeeeee5', 'fffffff6'].filter(
        (one) => !one.startsWith(declared.slice(0, 7)) || declared === '',
      ),
      n,
    ) ?? 'aaaaaaa1'
  );
};

/** Replaces each placeholder in an item with a value that fits a working system. */
export function filled(now: Seen, who: Builder, { payload }: Item, n: number): Payload {
  const fillers: Readonly<Record<string, unknown>> = {
    '<version that runs>': '1.0.0',
    '<commit that runs, 7 to 64 hex digits>': freshCommit(now, who, n),
    '<local, test, ci, preview or staging>': 'staging',
    '<URL at which the other agent reaches it>': 'http://localhost:8080',
    '<what you changed>': 'The lock.',
    '<PASS or FAIL>': 'PASS',
    '<why>': 'Seen.',
    '<why no path can change the result>': 'A text only.',
    '<what failed>': 'The count.',
    '<kind of evidence>': 'log',
    '<what it shows>': 'It holds.',
    '<what you saw>': 'Two units.',
    '<true or false>': true,
    '<your answer>': `A${n % 2}`,
    '<ACCEPT or REJECT>': 'REJECT',
    '<RESOLVED or WITHDRAWN>': 'RESOLVED',
    '<your response>': `R${n % 2}`,
    '<correlation id seen in the system under test>': `run-${n % 3}`,
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillers[value] ?? value;
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]));
  };
  return Object(fill(payload));
}

/** The call that an item names. Some verdicts are FAIL, and some evidence has a failed assertion. */
function sent(now: Seen, who: Builder, item: Item, n: number): Call {
  const input = filled(now, who, item, n);
  if (input.verdict === 'PASS' && n % 4 === 3) return by(who, item.tool, { ...input, verdict: 'FAIL' });
  if (item.tool === 'verify_submit_evidence' && n % 8 === 5)
    return by(who, item.tool, { ...input, assertions: FAILED });
  return by(who, item.tool, input);
}

const follows: Move = (now, who, n) => {
  const side = now.items(who).length > 0 ? who : other(who);
  const item = n % 5 === 4 ? pick(now.items(side), Math.floor(n / 5)) : now.items(side)[0];
  return item ? sent(now, side, item, Math.floor(n / 5)) : null;
};

const release: Move = (now, _who, n) => {
  const { tool } = now.instruction('owner');
  if (tool !== 'authorize') return null;
  if (n % 4 === 3) return by('owner', 'authorize', { stage: 'release' });
  return by('owner', 'authorize', { stage: now.board().phase === 'VERIFY' ? 'deployment' : 'activation' });
};

/** Usually the number of the latest attempt, sometimes another number. */
function attemptOf(now: Seen, scenario_id: string, n: number): number {
  const shown = now.board().scenarios.find((scenario) => scenario.scenario_id === scenario_id);
  const latest = shown?.passed?.attempt ?? shown?.attempts.at(-1)?.attempt;
  return n % 5 === 4 ? (n % 3) + 1 : (latest ?? 1);
}

const scenarioOf = (n: number): string => (n % 13 === 12 ? 't9' : (pick(CHECKS, n)?.id ?? 't1'));
/** Usually a scenario with an open attempt, sometimes any scenario. */
function openOf(now: Seen, n: number): string {
  const open = now.board().scenarios.filter(({ status }) => status === 'OPEN' || status === 'AWAITING_VERDICT');
  return n % 6 === 5 ? scenarioOf(n) : (pick(open, n)?.scenario_id ?? scenarioOf(n));
}

/** A scenario that has passed, or any scenario if none has passed. */
function passedOf(now: Seen, n: number): string {
  const passed = now.board().scenarios.filter(({ status }) => status === 'PASSED');
  return pick(passed, n)?.scenario_id ?? scenarioOf(n);
}

/** An item of evidence. Some items have the key of an earlier item. */
const itemOf = (n: number): Payload => ({
  kind: n % 3 === 2 ? 'manual' : 'log',
  claim: 'It holds.',
  summary: 'Seen.',
  request_id: `run-${Math.floor(n / 3) % 3}`,
  ...(n % 5 === 4 ? { assertions: FAILED } : {}),
  ...(n % 2 === 1 ? { evidence_key: `key-${n % 3}` } : {}),
});

/** Usually a call about an open or fixed defect, sometimes about any defect. */
function onDefect(now: Seen, n: number, call: (defect_id: string) => Call): Call | null {
  const standing = now.board().defects.filter(({ status }) => status === 'OPEN' || status === 'FIXED');
  if (n % 8 === 7) return call(`def_${(n % 3) + 1}`);
  const defect = pick(standing, n);
  return defect ? call(defect.defect_id) : null;
}

/** What differs from each commit on which an attempt of the builder ran, as a handshake declares it. */
const comparedOf = (now: Seen, who: Builder): Payload =>
  Object.fromEntries(
    now
      .fullBoard()
      .scenarios.flatMap(({ attempts }) => attempts.map(({ commits }) => [commits[who].toLowerCase(), ['README.md']])),
  );

/** Usually a scenario with this status, sometimes any scenario. */
function withStatus(now: Seen, status: string, n: number): string {
  const scenarios = now.board().scenarios.filter((scenario) => scenario.status === status);
  return n % 6 === 5 ? scenarioOf(n) : (pick(scenarios, n)?.scenario_id ?? scenarioOf(n));
}

const ANYTHING: readonly Move[] = [
  (now, who, n) => {
    const declared = now.board().handshakes[who];
    const failed = now.board().defects.map(({ commits }) => commits[who]);
    const commit = n % 3 === 0 ? pick([...failed, ...COMMITS], Math.floor(n / 3)) : (declared?.commit ?? 'aaaaaaa1');
    return by(who, 'verify_handshake', {
      service: 'api',
      version: '1.0.0',
      commit,
      environment: n % 17 === 16 ? 'production' : 'staging',
      ready: n % 7 !== 6,
      dependencies_healthy: n % 11 !== 10,
      ...(n % 5 === 4 ? { fixture_version: n % 10 === 4 ? '2' : '1' } : {}),
      ...(n % 2 === 0 ? { changes: comparedOf(now, who) } : {}),
    });
  },
  (_now, who, n) =>
    by(who, 'verify_start_attempt', { scenario_id: scenarioOf(n), ...(n % 4 === 3 ? { evidence: [itemOf(n)] } : {}) }),
  (now, who, n) => {
    const scenario_id = n % 4 === 3 ? passedOf(now, n) : openOf(now, n);
    const attempt = attemptOf(now, scenario_id, Math.floor(n / 3));
    return by(who, 'verify_submit_evidence', { scenario_id, attempt, ...itemOf(n) });
  },
  (now, who, n) => {
    const scenario_id = openOf(now, n);
    const attempt = attemptOf(now, scenario_id, Math.floor(n / 3));
    const deviations = n % 3 === 1 && n % 4 !== 0 ? { deviations: ['Slow.'] } : {};
    const verdict = n % 4 === 0 ? 'FAIL' : 'PASS';
    const evidence = n % 5 === 3 ? { evidence: [itemOf(Math.floor(n / 5))] } : {};
    return by(who, 'verify_verify', { scenario_id, attempt, verdict, ...deviations, ...evidence });
  },
  (now, who, n) => onDefect(now, n, (defect_id) => by(who, 'verify_submit_fix', { defect_id, note: 'The lock.' })),
  (_now, who, n) =>
    by(who, 'answer_question', {
      question_id: '',
      answer: '',
      questions: [n % 4 === 3 ? { text: 'May I?', to: 'owner' } : `Is it up, ${n % 3}?`],
    }),
];

const OWNER: readonly Move[] = [
  release,
  release,
  (now, who, n) => onDefect(now, n, (defect_id) => by('owner', 'reassignDefect', { defect_id, role: who })),
  (now, _who, n) => onDefect(now, n, (defect_id) => by('owner', 'waiveDefect', { defect_id, reason: 'Rare.' })),
  (now) => {
    const [question] = now.overview.view().state.open_questions;
    return question ? by('owner', 'answerQuestion', { question_id: question.question_id, text: 'You may.' }) : null;
  },
  (now, _who, n) => by('owner', 'carryPass', { scenario_id: withStatus(now, 'STALE', n), reason: 'A text only.' }),
  (now, who, n) =>
    by('owner', 'refuseStep', {
      stage: (now.board().phase === 'VERIFY') === (n % 7 !== 6) ? 'deployment' : 'activation',
      scenario_id: withStatus(now, 'PASSED', n),
      reason: 'It loses a unit.',
      ...(n % 3 === 2 ? { role: who } : {}),
    }),
  (_now, _who, n) => by('owner', 'authorize', { stage: pick(['deployment', 'activation'], n) }),
  (_now, _who, n) => (n % 3 === 0 ? by('owner', 'pause', { reason: 'Lunch.' }) : null),
  (_now, _who, n) => (n % 12 === 0 ? by('owner', 'requestChanges', { reason: 'Name the error.' }) : null),
];

/** Calls of the moderator, of the owner about the moderator, and of the author in response. */
const MODERATED: readonly Move[] = [
  ...MODERATION.map(
    (move): Move =>
      (now, who, n) =>
        move(now.overview, who, n),
  ),
  ...OVERSIGHT.map(
    (move): Move =>
      (now, who, n) =>
        n % 2 === 0 ? move(now.overview, who, n >> 1) : null,
  ),
  (_now, _who, n) => by('owner', n % 2 === 0 ? 'restoreModerator' : 'setEntitlement', n % 2 === 0 ? {} : HAVING),
  ...[0, 1, 2, 3].map(
    (): Move => (now, _who, n) => {
      const finding_id = pick(openFindings(now.overview), n);
      return finding_id
        ? by('agent_a', 'respond_finding', { finding_id, decision: 'REJECT', response: `It is there, ${n % 2}.` })
        : null;
    },
  ),
];
const HAVING = { entitled: true };

/** Chooses a call: often an item of `verify_next`, often any call, sometimes a call of the owner or the moderator. */
export const moveFor: Move = (now, who, n) => {
  if (now.status === 'PAUSED' && n % 2 === 0) return by('owner', 'resume');
  const rest = Math.floor(n / 10);
  const kind = n % 10;
  if (kind < 4) return follows(now, who, rest);
  const moves = kind < 7 ? ANYTHING : kind < 8 ? OWNER : MODERATED;
  return pick(moves, rest)?.(now, who, Math.floor(rest / moves.length)) ?? null;
};
