import { runParts } from '@parley/core/words';
import { levelOfRun } from '../../../../src/text/records/levels.ts';
import { visible } from '../../../../src/text/visible.ts';
import { Level } from '../../ui/text/level.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { Parts } from '../transcript/message.tsx';
import type { Assertion, Attempt, SeenEvidence } from './seen-evidence.ts';
import '../../styles/transcript.css';

interface BothSidesProps {
  readonly evidence: readonly SeenEvidence[];
  readonly verdict: Attempt['verdict'];
  /** Whether the page has all evidence of the attempt. Default: true. */
  readonly isWhole?: boolean;
}

/** The evidence that each agent gave for an attempt, and the verdict. */
export const BothSides = ({ evidence, verdict, isWhole = true }: BothSidesProps) => (
  <>
    <div class="both-sides">
      <Side by="agent_a" {...{ evidence, isWhole }} />
      <Side by="agent_b" {...{ evidence, isWhole }} />
    </div>
    {verdict && (
      <p>
        <Role of={verdict.by} /> <Badge tone={verdict.verdict === 'PASS' ? 'good' : 'bad'}>{verdict.verdict}</Badge>{' '}
        {verdict.note !== null && <LinkedText text={verdict.note} />} <When at={verdict.given_at} />
      </p>
    )}
  </>
);

interface SideProps extends Required<Pick<BothSidesProps, 'evidence' | 'isWhole'>> {
  readonly by: 'agent_a' | 'agent_b';
}

function Side({ by, evidence, isWhole }: SideProps) {
  const own = evidence.filter((item) => item.by === by);
  return (
    <div>
      <Role of={by} />
      {own.length === 0 && <p class="muted">{isWhole ? 'No evidence yet.' : 'Loading…'}</p>}
      {own.map((item) => (
        <EvidenceItem key={`${item.submitted_at} ${item.request_id} ${item.claim}`} item={item} />
      ))}
    </div>
  );
}

function EvidenceItem({ item }: { readonly item: SeenEvidence }) {
  const { kind, claim, summary, request_id, assertions = [], run, submitted_at } = item;
  return (
    <div class="evidence">
      <p>
        <Badge>{kind}</Badge> <Level of={levelOfRun(run)} /> <code>{visible(request_id)}</code>{' '}
        <When at={submitted_at} />
      </p>
      {run && <Parts parts={runParts(run)} words={[]} />}
      <p>
        {run && <span class="muted">The agent says: </span>}
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
      {run?.output && (
        <details>
          <summary>End of the output</summary>
          <pre>{visible(run.output)}</pre>
        </details>
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
