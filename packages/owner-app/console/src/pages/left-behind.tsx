import { counted } from '@parley/core/text';
import type { ComponentChildren } from 'preact';
import type { Leaving, LeftBehind } from '../api/answers.ts';
import { toSession } from '../state/route.ts';
import { ConfirmButton } from '../ui/controls/buttons.tsx';
import { Link } from '../ui/text/linked-text.tsx';
import { Badge, SafeText, When } from '../ui/text/shown.tsx';

/** People who have lost rights, what they leave behind, and the call that ends the access that they gave to agents. */
export interface Leaver {
  readonly name: string;
  readonly left: LeftBehind;
  readonly end: () => Promise<void>;
  /** Whether the reader asked for it, so that the panel also says that nothing is left. */
  readonly wasAsked?: true;
}

type Access = LeftBehind['tokens'][number];

/** Shows what people leave behind who have lost rights. Shows nothing if that is nothing, unless somebody asked. */
export function LeftBehindPanel({ leaver, onClose }: { readonly leaver: Leaver; readonly onClose: () => void }) {
  const { name, left, end, wasAsked } = leaver;
  const { approvals, invitations, tokens, people = [], same_person: same = [], more, ended, failed } = left;
  const unlisted = [
    more.approvals > 0 && counted(more.approvals, 'approval that does not count', 'approvals that do not count'),
    more.invitations > 0 && counted(more.invitations, 'invitation code', 'invitation codes'),
    more.tokens > 0 && counted(more.tokens, 'token', 'tokens'),
  ].filter(Boolean);
  const access = invitations.length + tokens.length + more.invitations + more.tokens;
  const isNothing = approvals.length + unlisted.length + access + people.length + same.length + failed === 0;
  if (isNothing && !wasAsked) return null;
  return (
    <section class="card stack" aria-label={`What ${name} leaves behind`}>
      <h2>
        What <SafeText text={name} /> leaves behind
      </h2>
      <ul class="access quotes">
        {approvals.map((one) => (
          <LeftItem key={`${one.session_id} ${one.stage}`} place={one}>
            Approval of the {one.stage === 'approval' ? 'contract' : one.stage} does not count any more
          </LeftItem>
        ))}
        {invitations.map((one) => (
          <LeftItem key={one.prefix} place={one}>
            <Given what="Invitation code" access={one} /> {one.ended ? <Badge>ended</Badge> : 'is refused'}
          </LeftItem>
        ))}
        {tokens.map((one) => (
          <LeftItem key={one.prefix} place={one}>
            <Given what="Token" access={one} />{' '}
            {one.ended ? (
              <Badge>ended</Badge>
            ) : (
              <>
                is valid until <When at={one.expires_at} withDate />
              </>
            )}
          </LeftItem>
        ))}
      </ul>
      {isNothing && <p>Nothing: no approval, no code, no token, no person.</p>}
      {same.length > 0 && (
        <p>
          The same human can still sign in as{' '}
          <SafeText text={same.map((one) => `${one.name} (${one.role})`).join(', ')} />. Revoke them too, unless that is
          wanted.
        </p>
      )}
      {people.length > 0 && (
        <p>
          Added by <SafeText text={name} />, who has seen their keys:{' '}
          <SafeText text={people.map((one) => `${one.name} (${one.role})`).join(', ')} />. Revoke those whom nobody else
          uses.
        </p>
      )}
      {unlisted.length > 0 && <p>Not listed: {unlisted.join(', ')}.</p>}
      {ended > 0 && <p>Ended: {counted(ended, 'code or token', 'codes and tokens')}.</p>}
      {failed > 0 && (
        <p>{counted(failed, 'session', 'sessions')} could not be read or changed. End the access again.</p>
      )}
      <div class="row person-controls">
        {access > ended && (
          <ConfirmButton
            label="End this access…"
            question={`End the access that ${name} gave to agents? The codes and tokens become invalid at once.`}
            yes="Yes, end it"
            needs="approver"
            isDangerous
            onConfirm={end}
          />
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}

const Given = ({ what, access }: { readonly what: string; readonly access: Access }) => (
  <>
    {what} <code>{access.prefix}…</code> of <code>{access.role}</code>
  </>
);

interface LeftItemProps {
  readonly place: { readonly session_id: string; readonly title: string };
  readonly children: ComponentChildren;
}

const LeftItem = ({ place, children }: LeftItemProps) => (
  <li>
    <p>{children}</p>
    <p class="muted">
      Session <Link to={toSession(place.session_id)} text={place.title} />
    </p>
  </li>
);

/**
 * Makes a call that takes rights from people, and shows what they leave behind. `end` of the shown leaver repeats the call so
 * that it also ends the access that they gave to agents.
 */
export async function leave(
  name: string,
  call: (end_access?: true) => Promise<Leaving>,
  show: (leaver: Leaver) => void,
): Promise<void> {
  const send = async (end_access?: true): Promise<void> => {
    const { left } = await call(end_access);
    if (left) show({ name, left, end: () => send(true) });
  };
  await send();
}
