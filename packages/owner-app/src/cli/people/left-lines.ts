import { counted } from '../../text/counted.ts';
import { tableLines } from '../../text/table.ts';
import { timeText } from '../../text/time.ts';
import { membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';
import type { Json } from '../client/request.ts';
import type { Terminal } from '../terminal.ts';

/** The words of the flag `--end-access` in the help. */
export const END_ACCESS = 'end the access that the people gave to agents: codes, and tokens from them';

/**
 * Formats what people leave behind who have lost their rights: approvals, invitation codes and tokens. Empty if they leave
 * nothing behind.
 *
 * @param again the command without the name of the program that ends the access to agents
 */
export function leftLines(answer: Json, { columns, paint, program }: Terminal, again: string): string[] {
  const left = membersOf(answer.left);
  const people = recordsIn(left, 'people');
  const [invitations, tokens] = [recordsIn(left, 'invitations'), recordsIn(left, 'tokens')];
  const rows = [
    ...recordsIn(left, 'approvals').map((one) => [approvalText(one), 'does not count', ...placeOf(one)]),
    ...invitations.map((one) => [
      `code of ${textIn(one, 'role')}`,
      isEnded(one) ? 'ended' : 'refused',
      ...placeOf(one),
    ]),
    ...tokens.map((one) => [
      `token of ${textIn(one, 'role')}`,
      isEnded(one) ? 'ended' : `valid until ${timeText(one.expires_at)}`,
      ...placeOf(one),
    ]),
  ];
  const heads = ['left behind', 'now', 'session', 'title'];
  const more = membersOf(left.more);
  const unlisted = KINDS.flatMap(([kind, one, many]) => {
    const count = numberIn(more, kind);
    return count > 0 ? [counted(count, one, many)] : [];
  });
  const access = invitations.length + tokens.length + numberIn(more, 'invitations') + numberIn(more, 'tokens');
  const [ended, failed] = [numberIn(left, 'ended'), numberIn(left, 'failed')];
  return [
    ...(rows.length > 0 ? ['', ...tableLines({ heads, rows, flexible: 3 }, columns, paint), ''] : []),
    ...(unlisted.length > 0 ? [`Left behind and not listed: ${unlisted.join(', ')}.`] : []),
    ...(ended > 0 ? [`Ended: ${counted(ended, 'code or token', 'codes and tokens')}.`] : []),
    ...(failed > 0
      ? [`${counted(failed, 'session', 'sessions')} could not be read or changed. Run the command again.`]
      : []),
    ...(people.length > 0
      ? [
          'These people were added by the person, who has seen their keys. Revoke those that nobody else uses:',
          ...people.map((one) => `  ${textIn(one, 'person_id')}  ${textIn(one, 'role')}  ${textIn(one, 'name')}`),
        ]
      : []),
    ...(access > ended ? [`To end what is not ended: ${program} ${again} --end-access`] : []),
  ];
}

const KINDS = [
  ['approvals', 'approval that does not count', 'approvals that do not count'],
  ['invitations', 'code', 'codes'],
  ['tokens', 'token', 'tokens'],
] as const;

const approvalText = (one: unknown): string => {
  const stage = textIn(membersOf(one), 'stage');
  return `approval of the ${stage === 'approval' ? 'contract' : stage}`;
};

const isEnded = (one: unknown): boolean => membersOf(one).ended === true;

const placeOf = (one: unknown): string[] => [textIn(membersOf(one), 'session_id'), textIn(membersOf(one), 'title')];
