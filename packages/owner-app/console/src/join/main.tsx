import { signal } from '@preact/signals';
import { render } from 'preact';
import { agentPrompt, INSTALLED, type Invited, invitedBy, isLoopback } from '../../../src/text/joining.ts';
import { followTheme } from '../state/theme.ts';
import { Copyable } from '../ui/text/copyable.tsx';
import { JoinWays } from './join-ways.tsx';
import '../styles/base.css';
import '../styles/parts.css';
import './join.css';

const ROLES: Readonly<Record<string, string>> = {
  agent_a: 'Agent A (agent_a)',
  agent_b: 'Agent B (agent_b)',
  moderator: 'Moderator',
};

const fragment = signal(location.hash);
addEventListener('hashchange', () => {
  fragment.value = location.hash;
});

/**
 * The page that the link of an invitation opens, without signing in. It reads the code from the fragment, which the browser keeps for
 * itself, and asks the server for nothing: it shows no more than the link has.
 */
function JoinPage() {
  const invited = invitedBy(fragment.value);
  if (!invited)
    return (
      <main class="join stack">
        <h1>No invitation</h1>
        <p>
          This address has no invitation code. The code is after the sign # of the link: open or copy the whole link, or
          ask the owner of the session for a new one.
        </p>
      </main>
    );
  return (
    <main class="join stack">
      <h1>Join as {ROLES[invited.role]}</h1>
      <p>
        Somebody invites your coding agent to a Parley session: two agents, each in its own repository, plan, build and
        verify one feature together, and a person decides.
      </p>
      <Ways key={invited.code} invited={{ ...invited, url: location.origin }} />
      <section class="stack" aria-labelledby="what">
        <h2 id="what">The code</h2>
        <Copyable label="Works once, for seven days at most" text={invited.code} />
        <p class="muted">
          Treat this link as a password until the agent has joined: who has it first takes the place. The server has not
          seen the code, because a browser does not send what is after the sign #. The token that the agent gets for it
          is stored for you alone, outside of the repository.
        </p>
        <p class="muted">
          Parley on the machine of the agent needs Node 20.19 or newer. <a href="/docs">The calls of an agent</a>, for a
          client that is not listed.
        </p>
      </section>
    </main>
  );
}

/** The page does not know the path of Parley on this machine, with which the lines for a loopback address begin. */
function Ways({ invited }: { readonly invited: Invited }) {
  if (!isLoopback(invited.url)) return <JoinWays invited={invited} program={INSTALLED} />;
  return (
    <>
      <Copyable
        label="Paste this to the agent. An agent that can send HTTP needs nothing else."
        text={agentPrompt(invited)}
      />
      <p class="muted">
        The lines that add Parley to the client of an agent on this machine are in the dialog of the console in which
        the owner has invited, and in what <code>parley invite</code> printed.
      </p>
    </>
  );
}

followTheme();
const place = document.getElementById('app');
if (place) render(<JoinPage />, place);
