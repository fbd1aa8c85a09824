import { type Json, readAs } from '../../../../src/text/read-as.ts';
import type { SessionView } from '../../api/types.ts';
import { Graph } from '../../ui/graph/graph.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { SafeText } from '../../ui/text/shown.tsx';
import { Artifacts } from './artifacts.tsx';
import type { Section } from './contract-model.ts';
import { DecisionsSection } from './decisions-section.tsx';
import { Part } from './part.tsx';
import { Dependencies } from './part-body.tsx';
import { Leftover, Texts, Value } from './values.tsx';

interface SectionBodyProps {
  readonly view: SessionView;
  readonly contract: Json;
  readonly section: Section;
}

export function SectionBody({ view, contract, section }: SectionBodyProps) {
  switch (section.id) {
    case 'summary':
      return <Summary contract={contract} />;
    case 'decisions':
      return <DecisionsSection view={view} ids={readAs(contract, { decisions: 'texts' }).decisions} />;
    case 'rollout':
      return <Rollout rollout={readAs(contract, { rollout: 'record' }).rollout} />;
    case 'dependencies':
      return <Dependencies view={view} contract={contract} />;
    case 'artifacts':
      return <Artifacts artifacts={readAs(contract, { artifacts: 'records' }).artifacts} />;
    case 'other':
      return <Leftover value={pick(contract, section.members)} forms={{}} />;
    default:
      return (
        <>
          {section.id === 'tasks' && <TaskGraph section={section} />}
          {section.parts.map((part) => (
            <Part key={part.id} view={view} part={part} />
          ))}
        </>
      );
  }
}

const pick = (contract: Json, members: readonly string[]): Json =>
  Object.fromEntries(members.map((member) => [member, contract[member]]));

const SUMMARY = { title: 'text', summary: 'text', scope: 'record', fixture_version: 'text' } as const;
const SCOPE = { in: 'texts', out: 'texts' } as const;

function Summary({ contract }: { readonly contract: Json }) {
  const { title, summary, scope, fixture_version } = readAs(contract, SUMMARY);
  const { in: included, out: excluded } = readAs(scope, SCOPE);
  return (
    <>
      <h4>
        <SafeText text={title} />
      </h4>
      <Markdown text={summary} />
      {included.length > 0 && (
        <>
          <h4>Included</h4>
          <Texts texts={included} />
        </>
      )}
      {excluded.length > 0 && (
        <>
          <h4>Not included</h4>
          <Texts texts={excluded} />
        </>
      )}
      <p class="muted">
        Version of the test data: <SafeText text={fixture_version} />
      </p>
      <Leftover value={scope} forms={SCOPE} />
    </>
  );
}

const ROLLOUT = { steps: 'texts', rollback: 'any' } as const;

function Rollout({ rollout }: { readonly rollout: Json }) {
  return (
    <>
      <ol class="texts">
        {readAs(rollout, ROLLOUT).steps.map((step, index) => (
          <li key={index}>
            <Markdown text={step} />
          </li>
        ))}
      </ol>
      {'rollback' in rollout && (
        <>
          <h4>Rollback</h4>
          <Value value={rollout.rollback} />
        </>
      )}
      <Leftover value={rollout} forms={ROLLOUT} />
    </>
  );
}

function TaskGraph({ section }: { readonly section: Section }) {
  const items = section.parts.map(({ id, title, value }) => {
    const { assignee, depends_on } = readAs(value, { assignee: 'text', depends_on: 'texts' });
    return { id, note: title, tone: assignee, dependsOn: depends_on };
  });
  return <Graph items={items} />;
}
