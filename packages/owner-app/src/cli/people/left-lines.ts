import type { Answer } from '@parley/core/client';
import { counted, timeText } from '@parley/core/text';
import { tableLines } from '../../text/table.ts';
import type { Terminal } from '../terminal.ts';

/** The words of the flag `--end-access` in the help. */
export const END_ACCESS = 'end the access that the people gave to agents: codes, and tokens from them';

type Left = Pick<Answer<'revokePerson'>, 'left'>;

const NOTHING: NonNullable<Left['left']> = {
  approvals: [],
  invitations: [],
  tokens: [],
  more: { approvals: 0, invitations: 0, tokens: 0 },
  ended: 0,
  failed: 0,
};

/**
 * Formats what people leave behind who have lost their rights: approvals, invitation codes and tokens. Empty if they leave
 * nothing behind.
 *
 * @param again the command without the name of the program that ends the access to agents
 */
export function leftLines({ left = NOTHING }: Left, terminal: Terminal, again: string): string[] {
  const { approvals, invitations, tokens, people = [], same_person: same = [], more, ended, failed } = left;
  const rows = [
    ...approvals.map(({ stage, session_id, title }) => [
      `approval of the ${stage === 'approval' ? 'contract' : stage}`,
      'does not count',
      session_id,
      title,
    ]),
    ...invitations.map((one) => [`code of ${one.role}`, one.ended ? 'ended' : 'refused', one.session_id, one.title]),
    ...tokens.map((one) => [
      `token of ${one.role}`,
      one.ended ? 'ended' : `valid until ${timeText(one.expires_at)}`,
      one.session_id,
      one.title,
    ]),
  ];
  const heads = ['left behind', 'now', 'session', 'title'];
  const unlisted = KINDS.flatMap(([kind, one, many]) => (more[kind] > 0 ? [counted(more[kind], one, many)] : []));
  const access = invitations.length + tokens.length + more.invitations + more.tokens;
  return [
    ...(rows.length > 0 ? ['', ...tableLines({ heads, rows }, terminal), ''] : []),
    ...(unlisted.length > 0 ? [`Left behind and not listed: ${unlisted.join(', ')}.`] : []),
    ...(ended > 0 ? [`Ended: ${counted(ended, 'code or token', 'codes and tokens')}.`] : []),
    ...(failed > 0
      ? [`${counted(failed, 'session', 'sessions')} could not be read or changed. Run the command again.`]
      : []),
    ...(same.length > 0
      ? [
          'The same human can still sign in as these people. Revoke them too, unless that is wanted:',
          ...same.map(({ person_id, role, name }) => `  ${person_id}  ${role}  ${name}`),
        ]
      : []),
    ...(people.length > 0
      ? [
          'These people were added by the person, who has seen their keys. Revoke those that nobody else uses:',
          ...people.map(({ person_id, role, name }) => `  ${person_id}  ${role}  ${name}`),
        ]
      : []),
    ...(access > ended ? [`To end what is not ended: ${terminal.program} ${again} --end-access`] : []),
  ];
}

const KINDS = [
  ['approvals', 'approval that does not count', 'approvals that do not count'],
  ['invitations', 'code', 'codes'],
  ['tokens', 'token', 'tokens'],
] as const;
