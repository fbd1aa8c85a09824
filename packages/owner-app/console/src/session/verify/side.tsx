import { visible } from '../../../../src/text/visible.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';
import type { Assertion, SeenEvidence } from './seen-evidence.ts';

interface SideProps {
  readonly by: 'agent_a' | 'agent_b';
  readonly evidence: readonly SeenEvidence[];
}

/** The evidence that one agent gave for an attempt. */
export function Side({ by, evidence }: SideProps) {
  const own = evidence.filter((item) => item.by === by);
  return (
    <div>
      <Role of={by} />
      {own.length === 0 && <p class="muted">No evidence yet.</p>}
      {own.map((item) => (
        <EvidenceItem key={`${item.submitted_at} ${item.request_id} ${item.claim}`} item={item} />
      ))}
    </div>
  );
}

function EvidenceItem({ item }: { readonly item: SeenEvidence }) {
  const { kind, claim, summary, request_id, assertions = [], submitted_at } = item;
  return (
    <div class="evidence">
      <p>
        <Badge>{kind}</Badge> <code>{visible(request_id)}</code> <When at={submitted_at} />
      </p>
      <p>
        <strong>
          <LinkedText text={claim} />
        </strong>
      </p>
      <p>
        <LinkedText text={summary} />
      </p>
      {assertions.length > 0 && (
        <ul>
          {assertions.map((assertion) => (
            <AssertionItem key={assertion.name} assertion={assertion} />
          ))}
        </ul>
      )}
    </div>
  );
}

function AssertionItem({ assertion: { name, expected, actual, passed } }: { readonly assertion: Assertion }) {
  return (
    <li>
      <Badge tone={passed ? 'good' : 'bad'}>{passed ? '✓ holds' : '✗ fails'}</Badge> <SafeText text={name} />
      {expected !== undefined && actual !== undefined && (
        <span class="muted">
          {': '}
          <SafeText text={`expected ${plain(expected)}, was ${plain(actual)}`} />
        </span>
      )}
    </li>
  );
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
