import { fail } from '../../kernel/errors.ts';
import type { Domain, InputWarning } from '../../kernel/operation/operation.ts';
import type { SessionState } from '../state.ts';
import type { Certainty } from './pattern.ts';
import { type FoundCredential, findCredentials, findInPlaces, type PlacedText, textsIn } from './scan.ts';

/**
 * By tool, the input member that is not searched here. The code in `redeem_invitation` is a secret on purpose;
 * contracts are searched when they are validated.
 */
const JUDGED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['redeem_invitation', 'code'],
  ['submit_contract', 'contract'],
  ['submit_position', 'contract'],
  ['propose_revision', 'contract'],
  ['patch_contract', 'ops'],
]);

/** Whether the text is an excerpt of evidence, such as `evidence[0].excerpt`. */
const isExcerpt = ({ place }: PlacedText): boolean =>
  place?.part === 'excerpt' && place.within?.within?.part === 'evidence';

/**
 * Refuses an input that contains a credential.
 * @throws ParleyError CREDENTIAL_REJECTED, which names the members and the kinds of credentials but not their text
 */
export function refuseCredentials(input: unknown, certainty: Certainty): void {
  refuse(findCredentials(input, certainty));
}

/**
 * Domain 9.4. Searches the input of an agent for credentials before `decide`. Refuses an excerpt of evidence with a
 * match of any certainty, and any other text with a match that is `certain`. If the session's policy is `warn`, only
 * excerpts are refused: any other text is stored, and the answer contains a warning.
 */
export const inspectInput: Domain<SessionState>['inspectInput'] = ({ profile }, { operation, input, idempotency }) => {
  const judged = JUDGED_ELSEWHERE.get(operation.name);
  const said = textsIn(judged === undefined ? input : { ...Object(input), [judged]: undefined });
  if (idempotency) said.push({ text: idempotency.key, place: { part: 'request_id', within: undefined } });
  refuse(findInPlaces(said.filter(isExcerpt), 'likely'));
  const rest = said.filter((text) => !isExcerpt(text));
  const found = withoutRepeats(findInPlaces(rest, 'certain'));
  if (profile.secret_policy === 'refuse') refuse(found);
  return found.map(warningOf);
};

/**
 * Removes repeated results. An idempotency key that was sent as a member of the input is searched twice: as the key,
 * and as this member.
 */
const withoutRepeats = (found: readonly FoundCredential[]): FoundCredential[] =>
  found.filter(
    ({ path, kind }, index) => found.findIndex((other) => other.path === path && other.kind === kind) === index,
  );

const warningOf = ({ path, kind }: FoundCredential): InputWarning => ({ path, rule: kind });

function refuse(found: readonly FoundCredential[]): void {
  const [first] = found;
  if (!first) return;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  fail('CREDENTIAL_REJECTED', `${first.path} contains what looks like a credential: ${first.kind}${more}.`, {
    issues: found.map(warningOf),
  });
}
