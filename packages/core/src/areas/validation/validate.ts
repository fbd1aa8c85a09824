import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { findInTexts, withoutCredentials } from '../credentials/rules.ts';
import type { Contract } from '../document/contract.ts';
import { activeOn, lastReplacement } from '../planning/state.ts';
import { termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import { DATA_MODEL_RULES, INTERFACE_RULES } from './interface-rules.ts';
import {
  countFaults,
  faultAt,
  type PlacedText,
  parseContract,
  SCHEMA_RULE,
  schemaFaults,
  type TextKind,
  textsOf,
} from './nodes.ts';
import { ARTIFACT_RULES, COVERAGE_RULES, ROLLOUT_RULES, TASK_RULES, TEST_RULES } from './plan-rules.ts';
import { DECISION_REPEATED, DECISION_RULES, ID_RULES, type Position, REFERENCE_RULES } from './reference-rules.ts';
import {
  type CitedDecision,
  type ContractRule,
  type DecisionFacts,
  type Fault,
  type Issue,
  MAX_ISSUES,
  type MissionFacts,
  type RuleFacts,
} from './rule.ts';

/**
 * Matches a text that consists of a placeholder only. Some words count only in capitals, because a record may be named
 * Todo.
 */
const WHOLE = /^\W{0,40}(?:TODO|FIXME|TBD|TBC|TBA|XXX|tbd|tbc|fixme)\W{0,40}$/;
const ONLY_DOTS = /^(?:\.{3,10}|\u2026|\?{2,10})$/;
/** Matches notes such as `TODO: …` and `TODO(ada) …`, but no text that also names DONE or a similar status. */
const NOTE =
  /^(?![\s\S]*\b(?:DOING|DONE|IN.PROGRESS)\b)[\s\S]*(?<![\w`'"])(?:TODO|FIXME|TBD)(?:\([^()]{0,40}\)|:(?!:))/;
/** Matches a placeholder in place of a value, as in `Errors: TBD` and `(FIXME)`. */
const IN_PLACE = /[:=([\u2013\u2014]\s?(?:FIXME|TBD|TBC)\s{0,3}(?:[)\].,;!?]|$)/;
/** Matches `Response: TODO`, but no text about a status or a column, because these may be named TODO. */
const TODO_IN_PLACE =
  /^(?![\s\S]*\b(?:[Ss]tatus|[Ss]tate|[Cc]olumn|[Cc]omments?|DOING|DONE)\b)[\s\S]*[:([]\s?TODO\s{0,3}(?:[)\].!?]|$)/;
const TO_BE_DECIDED = /^TBD\b|\bTBD[.!?)\s]{0,3}$/;
const ORDER =
  /^(?:TODO|FIXME) (?:add|agree|check|choose|clarify|complete|decide|define|describe|document|fill|find|finish|list|name|specify|update|write)\b/;
const LOREM = /\blorem ipsum\b/i;

/**
 * Matches the instruction of a template in angle brackets, such as <your name>. Generics, tags, keys and paths do not
 * begin with these words.
 */
const FILL_IN = /<(?:your|insert|describe|enter|fill in|replace with|name of) [^<>]{1,60}>|(?<!\w)<(?:\.{3}|\u2026)>/i;
const WHOLE_FILL_IN =
  /^(?:external: ?)?<(?:[\p{L}\d',.-]{1,30}(?: [\p{L}\d',.-]{1,30}){1,8}|name|text|title|reason|description|summary|value|placeholder|tbd|todo)>$/iu;

const SENTENCE = [WHOLE, ONLY_DOTS, NOTE, IN_PLACE, TODO_IN_PLACE, TO_BE_DECIDED, ORDER, LOREM];

const FORMS: Readonly<Record<TextKind, readonly RegExp[]>> = {
  prose: [...SENTENCE, FILL_IN, WHOLE_FILL_IN],
  // In a payload, <token> is often a part that varies, and TODO can be a value, such as the status of a task. Neither
  // counts as a placeholder there.
  payload: SENTENCE,
  data: [NOTE, LOREM],
  name: [],
  file: [WHOLE, ONLY_DOTS],
};

/** A fast check: every placeholder contains one of these texts, so a text without a match needs no further check. */
const SUSPECT = /TODO|FIXME|TBD|TBC|TBA|XXX|tbd|tbc|fixme|\.{3}|\u2026|\?\?|lorem|</i;

const isPlaceholder = (text: string, kind: TextKind): boolean =>
  SUSPECT.test(text) && FORMS[kind].some((form) => form.test(text));

/** The fixture_version is not checked, because the owner chose it and the author of the contract cannot change it. */
const isOwners = (place: PlacedText['place']): boolean => place?.part === 'fixture_version' && place.within === null;

/** Rules about the texts of a contract. */
const TEXT_RULES: readonly ContractRule[] = [
  {
    code: 'PLACEHOLDER_TEXT',
    severity: 'error',
    explanation: 'No text may be a placeholder: TODO, TBD, FIXME, lorem ipsum, <your text>.',
    hint: 'Replace the placeholder by the real text, or remove the member.',

    *check(contract) {
      for (const { text, kind, place } of textsOf(contract))
        if (isPlaceholder(text, kind) && !isOwners(place)) yield faultAt(place, 'This text is a placeholder.');
    },
  },
  {
    code: 'CREDENTIAL_TEXT',
    severity: 'error',
    explanation:
      'No text contains a credential. Everybody in the session can read the contract, and it cannot be deleted.',
    hint: 'Remove the credential and have it revoked. Write instead where each builder gets its own credential.',

    *check(contract) {
      const placed = textsOf(contract);
      const texts = placed.map(({ text }) => text);
      for (const { index, kind } of findInTexts(texts, 'likely'))
        yield faultAt(placed[index]?.place ?? null, `This text contains what looks like a credential: ${kind}.`);
    },
  },
];

const UNCHANGED_CONTENT: RuleFacts = {
  code: 'UNCHANGED_CONTENT',
  severity: 'warning',
  explanation: 'The content of a revision must differ from its parent.',
  hint: 'Submit a revision only if something changes: both builders must review each revision again.',
};

export const unchangedFrom = (parentId: string): Issue => ({
  code: UNCHANGED_CONTENT.code,
  severity: UNCHANGED_CONTENT.severity,
  pointer: '',
  message: `The content is the same as that of ${parentId}.`,
  hint: UNCHANGED_CONTENT.hint,
});

const FIRST_RULES: readonly ContractRule[] = [...ID_RULES, ...REFERENCE_RULES];
const LATER_RULES: readonly ContractRule[] = [
  ...COVERAGE_RULES,
  ...INTERFACE_RULES,
  ...DATA_MODEL_RULES,
  ...TASK_RULES,
  ...TEST_RULES,
  ...ROLLOUT_RULES,
  ...TEXT_RULES,
  ...ARTIFACT_RULES,
];
const CONTRACT_RULES = [...FIRST_RULES, ...LATER_RULES];

/** The rules that are checked once the contract meets its schema, in the order in which answers list their issues. */
export const RULES: readonly RuleFacts[] = [...FIRST_RULES, ...DECISION_RULES, ...LATER_RULES];

/** All rules, in the order in which answers list their issues. */
export const RULE_LIST: readonly RuleFacts[] = [SCHEMA_RULE, ...RULES, UNCHANGED_CONTENT, DECISION_REPEATED].map(
  ({ code, severity, explanation, hint, ofAgenda }) => ({
    code,
    severity,
    explanation,
    hint,
    ...(ofAgenda && { ofAgenda }),
  }),
);

/**
 * Version of the validation. Raise it with every change: the first number if a contract without errors can now have
 * errors; the second if warnings change or a contract can now have fewer errors; the third if only texts change.
 */
export const VALIDATOR_VERSION = '2.6.0';

const TOO_MANY_VALUES: Fault = { pointer: '', message: 'Must hold at most 20,000 values.' };

export interface ContractCheck {
  /** The parsed contract. Null if the contract breaks its schema or contains too many values. */
  readonly contract: Contract | null;
  /** The issues, errors first, at most {@link MAX_ISSUES}. */
  readonly issues: readonly Issue[];
  readonly errorCount: number;
  readonly warningCount: number;
}

/**
 * Checks the contract against its schema, then against all rules that read only the contract and the mission. If the
 * contract breaks its schema, the result contains only the faults of the schema.
 */
export function checkContract(value: unknown, mission: MissionFacts): ContractCheck {
  const parsed = parseContract(value);
  if (parsed.kind === 'too large') return brokenSchema([TOO_MANY_VALUES], 1);
  if (parsed.kind === 'broken') return brokenSchema(schemaFaults(parsed.issues), countFaults(parsed.issues));
  const { contract } = parsed;
  const errors: Issue[] = [];
  const warnings: Issue[] = [];
  const counts = { error: 0, warning: 0 };
  for (const rule of CONTRACT_RULES) {
    if (mission.waived.includes(rule.code)) continue;
    const listed = rule.severity === 'error' ? errors : warnings;
    for (const fault of rule.check(contract, mission)) {
      counts[rule.severity] += 1;
      if (listed.length < MAX_ISSUES) listed.push(issueOf(rule, fault));
    }
  }
  const issues = [...errors, ...warnings].slice(0, MAX_ISSUES);
  return { contract, issues, errorCount: counts.error, warningCount: counts.warning };
}

/**
 * Checks the rules that read the current status of decisions.
 * @returns at most {@link MAX_ISSUES} issues; their pointers are relative to the contract
 */
export function checkDecisions(
  decisionIds: readonly string[],
  decisions: DecisionFacts,
  cited: readonly CitedDecision[] = [],
): readonly Issue[] {
  const issues: Issue[] = [];
  for (const rule of DECISION_RULES) {
    for (const fault of rule.check(decisionIds, decisions, cited)) {
      if (issues.length === MAX_ISSUES) return issues;
      issues.push(issueOf(rule, fault));
    }
  }
  return issues;
}

function brokenSchema(faults: Iterable<Fault>, errorCount: number): ContractCheck {
  const issues: Issue[] = [];
  for (const fault of faults) {
    if (issues.length === MAX_ISSUES) break;
    issues.push(issueOf(SCHEMA_RULE, fault));
  }
  return { contract: null, issues, errorCount, warningCount: 0 };
}

const issueOf = ({ code, severity, hint }: RuleFacts, { pointer, message }: Fault): Issue => ({
  code,
  severity,
  pointer,
  message: withoutCredentials(message),
  hint,
});

export const missionFacts = (state: SessionState): MissionFacts => ({
  requirementIds: state.profile.requirements.map(({ requirement_id }) => requirement_id),
  scenarioIds: state.profile.agenda?.scenarios.map(({ id }) => id) ?? [],
  fixtureVersion: state.profile.fixture_version,
  waived: termsOf(state).waived,
});

export const decisionFacts = ({ decisions, profile: { agenda } }: SessionState): DecisionFacts => ({
  statusOf: (id) => lookUp(decisions.all, id)?.status,
  replacementOf: (id) => lastReplacement(decisions, id)?.decision_id,
  topics: agenda?.topics.map(({ topic }) => ({ topic, decision_id: activeOn(decisions, topic) })) ?? [],
  resolved: valuesOf(decisions.all).flatMap(({ decision_id, status }) => (status === 'RESOLVED' ? [decision_id] : [])),
});

/** Ids and positions of all decisions that are PROPOSED or RESOLVED. */
export const activePositions = ({ decisions: { all } }: SessionState): Position[] =>
  valuesOf(all).flatMap(({ decision_id, position }) => (position === null ? [] : [{ decision_id, position }]));

export const errorsIn = (issues: readonly Issue[]): Issue[] => issues.filter(({ severity }) => severity === 'error');
export const warningsIn = (issues: readonly Issue[]): Issue[] =>
  issues.filter(({ severity }) => severity === 'warning');
