import { findInTexts } from '../credentials/rules.ts';
import { faultAt, type PlacedText, type TextKind, textsOf } from './nodes.ts';
import type { ContractRule } from './rule.ts';

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
export const TEXT_RULES: readonly ContractRule[] = [
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
