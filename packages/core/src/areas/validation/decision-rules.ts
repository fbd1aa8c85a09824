import { memoizeBy } from '../../kernel/memoize.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import type { Contract } from '../document/contract.ts';
import { faultAt, type Place, textsOf } from './nodes.ts';
import { type CitedDecision, type DecisionRule, type Issue, MAX_ISSUES, type RuleFacts } from './rule.ts';

/** Rules that read where the decisions stand. Their result is computed at each read. */
export const DECISION_RULES: readonly DecisionRule[] = [
  {
    code: 'UNKNOWN_DECISION',
    severity: 'error',
    explanation: 'Each decision that the contract names must exist in the session.',
    hint: 'Use the decision_ids of list_decisions.',

    *check(decisionIds, decisions) {
      for (const [at, id] of decisionIds.entries())
        if (decisions.statusOf(id) === undefined)
          yield { pointer: `/decisions/${at}`, message: `There is no decision ${id} in this session.` };
    },
  },
  {
    code: 'DECISION_NOT_RESOLVED',
    severity: 'error',
    explanation: 'Each decision named in the contract must be RESOLVED: accepted by both builders.',
    hint: 'Let both builders accept the decision. If it was superseded, name the decision that superseded it. Or remove its id.',

    *check(decisionIds, decisions) {
      for (const [at, id] of decisionIds.entries()) {
        const status = decisions.statusOf(id);
        if (status !== undefined && status !== 'RESOLVED')
          yield { pointer: `/decisions/${at}`, message: `Decision ${id} is ${status}.` };
      }
    },
  },
  {
    code: 'RESOLVED_DECISION_OMITTED',
    severity: 'error',
    explanation: 'The member decisions must name each RESOLVED decision.',
    hint: 'Add the decision_id to the member decisions, and make the contract follow the position of the decision.',

    *check(decisionIds, { resolved }) {
      const named = new Set(decisionIds);
      for (const id of resolved)
        if (!named.has(id))
          yield {
            pointer: '/decisions',
            message: `Decision ${id} is RESOLVED, but missing from the member decisions.`,
          };
    },
  },
  {
    code: 'INACTIVE_DECISION_CITED',
    severity: 'warning',
    explanation: 'No text may cite a SUPERSEDED, WITHDRAWN or REJECTED decision.',
    hint: 'Cite the decision that holds now, and check that the text still agrees with it.',

    *check(_decisionIds, decisions, cited) {
      for (const { id, pointer } of cited) {
        const status = decisions.statusOf(id);
        if (status === undefined || status === 'PROPOSED' || status === 'RESOLVED') continue;
        const replacement = decisions.replacementOf(id);
        const now = replacement === undefined ? '' : `; ${replacement} replaced it`;
        yield { pointer, message: `This text cites decision ${id}, which is ${status}${now}.` };
      }
    },
  },
  {
    code: 'AGENDA_TOPIC_OPEN',
    severity: 'warning',
    ofAgenda: true,
    explanation: 'A decision of the contract must settle each topic of the agenda.',
    hint: 'Propose a decision with exactly this topic, let both builders accept it, and name it in decisions. If it is not to be settled, tell the owner why.',

    *check(decisionIds, { topics }) {
      const named = new Set(decisionIds);
      for (const { topic, decision_id } of topics)
        if (decision_id === null || !named.has(decision_id))
          yield {
            pointer: '/decisions',
            message: `No decision of the contract settles the topic ${quotedName(topic, 200)} of the agenda.`,
          };
    },
  },
];

/**
 * The rule that texts of the contract do not repeat positions of decisions. A position never changes, so the result of
 * the rule can be stored with the revision.
 */
export const DECISION_REPEATED: RuleFacts = {
  code: 'DECISION_REPEATED',
  severity: 'warning',
  explanation: 'No text of more than 300 characters may repeat the position of a decision word by word.',
  hint: "Name the decision's id in the text instead of its position: the Markdown of the contract and the handoffs print each decided text once.",
};

/** Minimum length of a text of the contract that is compared with the positions of decisions, in characters. */
const TEXT_CHARS = 300;
/**
 * Minimum length of the position of a decision that is compared with the contract, in characters. A contract may repeat
 * a shorter position by chance.
 */
const POSITION_CHARS = 120;
/**
 * Maximum number of comparisons for each contract. Many positions with the same beginning would otherwise take seconds.
 */
const MAX_COMPARISONS = 2_000;

export interface Position {
  readonly decision_id: string;
  readonly position: string;
}

/**
 * The warnings of DECISION_REPEATED: at most one for each text and decision, and at most {@link MAX_ISSUES} in all. Any
 * white space counts as one blank. Memoized by the ids of the decisions, because a position never changes.
 */
export const repeatedDecisions = memoizeBy(
  (contract: Contract, decided: readonly Position[]): readonly Issue[] => {
    const byHead = headsOf(decided);
    const issues: Issue[] = [];
    let comparisons = 0;
    for (const { text, place } of longTextsOf(contract)) {
      const found = new Set<string>();
      for (const { index } of text.matchAll(WORD_START))
        for (const { decision_id, position } of byHead.get(text.slice(index, index + POSITION_CHARS)) ?? []) {
          if (issues.length === MAX_ISSUES || comparisons === MAX_COMPARISONS) return issues;
          comparisons += 1;
          if (found.has(decision_id) || !text.startsWith(position, index)) continue;
          found.add(decision_id);
          issues.push(issueOf(decision_id, place));
        }
    }
    return issues;
  },
  (decided) => decided.map(({ decision_id }) => decision_id).join(' '),
);

const WORD_START = /(?<![\p{L}\p{N}])\S/gu;

function issueOf(decision_id: string, place: Place | null): Issue {
  const message = `This text repeats the position of decision ${decision_id} word by word. Name ${decision_id} instead.`;
  const { code, severity, hint } = DECISION_REPEATED;
  return { code, severity, pointer: faultAt(place, message).pointer, message, hint };
}

/** The positions of at least POSITION_CHARS characters, grouped by their first characters. */
function headsOf(decided: readonly Position[]): ReadonlyMap<string, readonly Position[]> {
  const byHead = new Map<string, Position[]>();
  for (const { decision_id, position: written } of decided) {
    const position = withSingleBlanks(written);
    if (position.length < POSITION_CHARS) continue;
    const head = position.slice(0, POSITION_CHARS);
    const same = byHead.get(head) ?? [];
    same.push({ decision_id, position });
    byHead.set(head, same);
  }
  return byHead;
}

const longTextsOf = (contract: Contract) =>
  textsOf(contract)
    .filter(({ text, kind }) => text.length > TEXT_CHARS && kind !== 'name')
    .map(({ text, place }) => ({ text: withSingleBlanks(text), place }))
    .filter(({ text }) => text.length > TEXT_CHARS);

const withSingleBlanks = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

const DECISION_ID = /(?<![\w-])d_[1-9]\d{0,5}(?![\w-])/g;
/** Maximum number of citations that are kept with a revision. */
const MAX_CITED = 200;

export const decisionIdsIn = (text: string): string[] => text.match(DECISION_ID) ?? [];

/**
 * The decisions that texts of the contract cite. The contract's list of decisions, and values and names of members
 * inside payloads and JSON Schemas, do not count as texts.
 */
export const citedDecisions = memoizeBy((contract: Contract): readonly CitedDecision[] => {
  const cited = new Map<string, string>();
  for (const { text, kind, place } of textsOf(contract)) {
    if (kind === 'data' || kind === 'name' || place?.within?.part === 'decisions') continue;
    for (const id of decisionIdsIn(text))
      if (!cited.has(id) && cited.size < MAX_CITED) cited.set(id, faultAt(place, '').pointer);
  }
  return [...cited].map(([id, pointer]) => ({ id, pointer }));
});
