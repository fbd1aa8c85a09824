import { clockText } from '@parley/core/words';
import type { Board } from '../../api/types.ts';
import { CommitLink } from '../../ui/text/commit-link.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';

type Handshake = NonNullable<Board['handshakes']['agent_a']>;
const BUILDERS = ['agent_a', 'agent_b'] as const;

/** The handshakes: the service, version and commit that each builder has declared. */
export function HandshakesPanel({ board }: { readonly board: Board }) {
  return (
    <section class="card" aria-labelledby="handshakes-head">
      <h2 id="handshakes-head">Handshakes</h2>
      <ul class="handshakes">
        {BUILDERS.map((role) => (
          <li key={role}>
            <Role of={role} />{' '}
            <Declared
              handshake={board.handshakes[role]}
              fixture={board.fixture_version}
              address={board.agents.find((agent) => agent.role === role)?.commit_url ?? null}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DeclaredProps {
  readonly handshake: Handshake | null;
  readonly fixture: string | null;
  /** The web page of the declared commit. Null if the address is not known. */
  readonly address: string | null;
}

function Declared({ handshake, fixture, address }: DeclaredProps) {
  if (!handshake) return <span class="muted">has declared nothing yet</span>;
  const { service, version, commit, environment, ready, dependencies_healthy, fixture_version, skew_ms, declared_at } =
    handshake;
  const { address: reached, changes = {} } = handshake;
  return (
    <span class="facts">
      <SafeText text={`${service} ${version}`} />
      <CommitLink commit={commit} address={address} />
      <SafeText text={environment} />
      {reached !== undefined && <SafeText text={`at ${reached}`} />}
      <Badge tone={ready ? 'good' : 'bad'}>{ready ? 'ready' : 'not ready'}</Badge>
      <Badge tone={dependencies_healthy ? 'good' : 'bad'}>
        {dependencies_healthy ? 'dependencies healthy' : 'dependencies not healthy'}
      </Badge>
      {fixture_version !== undefined && fixture_version !== fixture && (
        <Badge tone="bad">test data version is not that of the contract</Badge>
      )}
      {skew_ms !== null && <span>{`clock ${clockText(skew_ms)}`}</span>}
      <When at={declared_at} />
      <DeclaredPaths changes={changes} />
    </span>
  );
}

interface DeclaredPathsProps {
  readonly changes: Readonly<Record<string, readonly string[]>>;
  readonly isOpen?: boolean;
}

/** The paths that an agent declares as changed, by the commit to which it compares. */
export const DeclaredPaths = ({ changes, isOpen = false }: DeclaredPathsProps) => (
  <>
    {Object.entries(changes).map(([since, paths]) => (
      <details key={since} open={isOpen}>
        <summary>
          declares {paths.length} changed {paths.length === 1 ? 'path' : 'paths'} since <code>{since.slice(0, 9)}</code>
        </summary>
        <ul class="paths">
          {paths.map((path) => (
            <li key={path}>
              <SafeText text={path} />
            </li>
          ))}
        </ul>
      </details>
    ))}
  </>
);
