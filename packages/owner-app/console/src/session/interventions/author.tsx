import { useRef } from 'preact/hooks';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { goToElement, useFragment } from '../../ui/controls/go-to-element.ts';
import { type Seen, seenOf } from '../../ui/requests/use-action.ts';
import { Role, roleName, SafeText } from '../../ui/text/shown.tsx';
import { nameIn } from './names.ts';

interface AuthorPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

/** Shows the election of the Contract Author, and lets the owner appoint one. */
export function AuthorPanel({ live, view }: AuthorPanelProps) {
  const { nominations, contract_author, technical_reviewer, phase, status } = view.state;
  useFragment(true, /^author-head$/, goToElement);
  const seen = useRef<Seen | undefined>(undefined);
  const canAppoint = status !== 'ENDED' && (phase === 'PLANNING' || phase === 'CONTRACT');
  return (
    <section class="card" aria-labelledby="author-head">
      <h2 id="author-head">Contract Author</h2>
      {contract_author ? (
        <p>
          <Role of={contract_author} name={nameIn(view, contract_author)} /> writes the contract,{' '}
          {technical_reviewer && <Role of={technical_reviewer} name={nameIn(view, technical_reviewer)} />} reviews it.
        </p>
      ) : (
        <p class="muted">The Contract Author is elected when both agents name the same agent.</p>
      )}
      <ul class="plain">
        {nominations.map(({ by, candidate, reason }) => (
          <li key={by} class="record">
            <p>
              <Role of={by} name={nameIn(view, by)} /> names <Role of={candidate} name={nameIn(view, candidate)} />
            </p>
            <p class="reply">
              <SafeText text={reason} />
            </p>
          </li>
        ))}
      </ul>
      {canAppoint &&
        view.agents
          .filter(({ role }) => role !== contract_author)
          .map(({ role }) => (
            <ConfirmButton
              key={role}
              label={`Appoint ${roleName(role)}`}
              question={`Appoint ${roleName(role)} as Contract Author? The nominations of the agents are then ignored.`}
              onAsk={() => {
                seen.current = seenOf(view);
              }}
              onConfirm={() => live.act('appointAuthor', { candidate: role, ...seen.current })}
            />
          ))}
    </section>
  );
}
