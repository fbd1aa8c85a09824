import type { SessionView } from '../../api/types.ts';
import { Badge, roleName } from '../../ui/text/shown.tsx';

/** Lists the owner's next steps: invite each agent, and start the session. Rendered only while the session is DRAFT. */
export function NextSteps({ view }: { readonly view: SessionView }) {
  if (view.state.status !== 'DRAFT') return null;
  return (
    <section class="card" aria-labelledby="next-head">
      <h2 id="next-head">Next steps</h2>
      <ol class="next-steps">
        {view.access.map(({ role, token, invitation }) => (
          <li key={role}>
            {role === 'moderator'
              ? 'If you want a third agent that observes the session and can stop an approval, invite the '
              : 'Invite '}
            {roleName(role)}{' '}
            <Badge tone={token ? 'good' : 'plain'}>{token ? 'joined' : invitation ? 'invited' : 'not invited'}</Badge>
          </li>
        ))}
        <li>
          Start the session with the button above. Agents can join later, but no agent can write before the start.
        </li>
      </ol>
    </section>
  );
}
