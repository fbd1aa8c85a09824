import { fail } from '../../kernel/errors.ts';
import type { Domain } from '../../kernel/operation/domain.ts';
import type { InputWarning } from '../../kernel/operation/operation.ts';
import type { SessionState } from '../state.ts';
import type { Certainty } from './pattern.ts';
import { type CredentialFinding, findCredentials, findInPlaces, type PlacedText, textsIn } from './scan.ts';

/** Members whose text the operation judges itself: a code that it is there to take, a contract that is validated. */
const JUDGED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['redeem_invitation', 'code'],
  ['submit_contract', 'contract'],
  ['submit_position', 'contract'],
  ['propose_revision', 'contract'],
  ['patch_contract', 'ops'],
]);

/** `evidence[0].excerpt`, wherever evidence stands: a copy of what somebody saw. */
const isExcerpt = ({ place }: PlacedText): boolean =>
  place?.part === 'excerpt' && place.within?.within?.part === 'evidence';

/**
 * Refuses an input that holds a credential.
 *
 * @throws ParleyError CREDENTIAL_REJECTED, naming fields and rules, never the text
 */
export function refuseCredentials(input: unknown, certainty: Certainty): void {
  refuse(findCredentials(input, certainty));
}

/**
 * Domain 9.4. What agents write is searched before anything is decided: excerpts for what is likely a credential, all
 * else for what is certainly one. Where the session's policy says `warn`, the latter is stored and the answer warns.
 */
export const inspectInput: Domain<SessionState>['inspectInput'] = ({ profile }, { operation, input, idempotency }) => {
  const judged = JUDGED_ELSEWHERE.get(operation.name);
  const said = textsIn(judged === undefined ? input : { ...Object(input), [judged]: undefined });
  if (idempotency) said.push({ text: idempotency.key, place: { part: 'request_id', within: undefined } });
  refuse(findInPlaces(said.filter(isExcerpt), 'likely'));
  const rest = said.filter((text) => !isExcerpt(text));
  const found = withoutRepeats(findInPlaces(rest, 'certain'));
  if (profile.secretPolicy === 'refuse') refuse(found);
  return found.slice(0, MAX_NAMED).map(warningOf);
};

/** No answer names more places; a refusal says how many there are. */
const MAX_NAMED = 100;

/** A key that came in the body was searched there, too. */
const withoutRepeats = (found: readonly CredentialFinding[]): CredentialFinding[] =>
  found.filter(
    ({ path, kind }, index) => found.findIndex((other) => other.path === path && other.kind === kind) === index,
  );

const warningOf = ({ path, kind }: CredentialFinding): InputWarning => ({ path, rule: kind });

function refuse(found: readonly CredentialFinding[]): void {
  const [first] = found;
  if (!first) return;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  fail('CREDENTIAL_REJECTED', `${first.path} holds what looks like a credential: ${first.kind}${more}.`, {
    issues: found.slice(0, MAX_NAMED).map(warningOf),
  });
}
