import { type Members, membersOf, recordsIn, textIn, textsIn } from '../../../../src/transcript/message.ts';
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
  readonly contract: Members;
  readonly section: Section;
}

export function SectionBody({ view, contract, section }: SectionBodyProps) {
  switch (section.id) {
    case 'summary':
      return <Summary contract={contract} />;
    case 'decisions':
      return <DecisionsSection view={view} ids={textsIn(contract, 'decisions')} />;
    case 'rollout':
      return <Rollout rollout={membersOf(contract.rollout)} />;
    case 'dependencies':
      return <Dependencies view={view} contract={contract} />;
    case 'artifacts':
      return <Artifacts artifacts={recordsIn(contract, 'artifacts')} />;
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

const pick = (contract: Members, members: readonly string[]): Members =>
  Object.fromEntries(members.map((member) => [member, contract[member]]));

function Summary({ contract }: { readonly contract: Members }) {
  const scope = membersOf(contract.scope);
  return (
    <>
      <h4>
        <SafeText text={textIn(contract, 'title')} />
      </h4>
      <Markdown text={textIn(contract, 'summary')} />
      {textsIn(scope, 'in').length > 0 && (
        <>
          <h4>Included</h4>
          <Texts texts={textsIn(scope, 'in')} />
        </>
      )}
      {textsIn(scope, 'out').length > 0 && (
        <>
          <h4>Not included</h4>
          <Texts texts={textsIn(scope, 'out')} />
        </>
      )}
      <p class="muted">
        Version of the test data: <SafeText text={textIn(contract, 'fixture_version')} />
      </p>
      <Leftover value={scope} forms={{ in: 'texts', out: 'texts' }} />
    </>
  );
}

function Rollout({ rollout }: { readonly rollout: Members }) {
  return (
    <>
      <ol class="texts">
        {textsIn(rollout, 'steps').map((step, index) => (
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
      <Leftover value={rollout} forms={{ steps: 'texts', rollback: 'any' }} />
    </>
  );
}

function TaskGraph({ section }: { readonly section: Section }) {
  const items = section.parts.map(({ id, title, value }) => ({
    id,
    note: title,
    tone: textIn(value, 'assignee'),
    dependsOn: textsIn(value, 'depends_on'),
  }));
  return <Graph items={items} />;
}
