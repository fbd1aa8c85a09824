import { plural } from '@parley/core/text';
import type { ComponentChildren } from 'preact';
import { type Form, type Json as JsonObject, readAs } from '../../../../src/text/read-as.ts';
import type { SessionView } from '../../api/types.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import type { ContractPart } from '../shown-parts.ts';
import { InterfaceBody } from './interface-body.tsx';
import { RequirementBody } from './requirement-body.tsx';
import { SchemaBody } from './schema-body.tsx';
import { Ids, Json, Leftover, RoleName, Texts } from './values.tsx';

interface PartBodyProps {
  readonly view: SessionView;
  readonly part: ContractPart;
}

export function PartBody({ view, part: { kind, id, value } }: PartBodyProps) {
  switch (kind) {
    case 'requirement':
      return <RequirementBody view={view} requirementId={id} />;
    case 'interface':
      return <InterfaceBody view={view} value={value} />;
    case 'data model':
      return <SchemaBody value={value} />;
    default:
      return <Fields view={view} value={value} fields={FIELDS[kind]} />;
  }
}

/** A member of a part, its label, and how its value is shown. */
type Field = readonly [member: string, label: string, show: 'text' | 'texts' | 'ids' | 'role' | 'policy'];

const FIELDS: Readonly<Record<'task' | 'test' | 'gate' | 'risk' | 'safety condition', readonly Field[]>> = {
  task: [
    ['assignee', 'Built by', 'role'],
    ['deliverables', 'Delivers', 'texts'],
    ['done_when', 'Done when', 'texts'],
    ['depends_on', 'Depends on', 'ids'],
    ['interfaces', 'Interfaces', 'ids'],
    ['requirements', 'Requirements', 'ids'],
  ],
  test: [
    ['given', 'Given', 'text'],
    ['when', 'When', 'text'],
    ['then', 'Then', 'text'],
    ['executor', 'Run by', 'role'],
    ['responsible', 'Fixed by', 'role'],
    ['requirements', 'Requirements', 'ids'],
    ['interfaces', 'Interfaces', 'ids'],
    ['depends_on', 'Runs after', 'ids'],
    ['evidence_policy', 'Evidence', 'policy'],
  ],
  gate: [
    ['stage', 'Stage', 'text'],
    ['condition', 'Holds when', 'text'],
    ['evidence', 'Evidence', 'text'],
  ],
  risk: [
    ['mitigation', 'Mitigation', 'text'],
    ['assignee', 'Assigned to', 'role'],
  ],
  'safety condition': [['covered_by', 'Enforced by', 'ids']],
};

const FORMS = { text: 'text', texts: 'texts', ids: 'texts', role: 'text', policy: 'record' } as const;

interface FieldsProps {
  readonly view: SessionView;
  readonly value: JsonObject;
  readonly fields: readonly Field[];
}

/** Shows the members of a part with their labels. A value of a wrong type is shown as JSON. */
function Fields({ view, value, fields }: FieldsProps) {
  const forms: Record<string, Form> = { id: 'text', title: 'text', text: 'text', name: 'text' };
  for (const [member, , show] of fields) forms[member] = FORMS[show];
  return (
    <>
      <dl class="fields">
        {fields.map((field) => {
          const shown = shownField(view, value, field);
          return (
            shown !== null && (
              <div key={field[0]}>
                <dt>{field[1]}</dt>
                <dd>{shown}</dd>
              </div>
            )
          );
        })}
      </dl>
      <Leftover value={value} forms={forms} />
    </>
  );
}

/** Returns the formatted member of a part, or null if the member is missing or empty. */
function shownField(view: SessionView, value: JsonObject, [member, , show]: Field): ComponentChildren {
  const { [member]: text = '' } = readAs(value, { [member]: 'text' });
  const { [member]: texts = [] } = readAs(value, { [member]: 'texts' });
  const { [member]: policy = {} } = readAs(value, { [member]: 'record' });
  switch (show) {
    case 'text':
      return text === '' ? null : <Markdown text={text} />;
    case 'role':
      return text === '' ? null : <RoleName view={view} role={text} />;
    case 'texts':
      return texts.length === 0 ? null : <Texts texts={texts} />;
    case 'ids':
      return texts.length === 0 ? null : <Ids ids={texts} />;
    default:
      return value[member] === undefined ? null : <Policy view={view} policy={policy} />;
  }
}

/** Shows which kinds of evidence a test requires from each agent, and how many items of evidence are required. */
function Policy({ view, policy }: { readonly view: SessionView; readonly policy: JsonObject }) {
  const { per_agent_kinds: kinds } = readAs(policy, { per_agent_kinds: 'record' });
  const rest = Object.keys(policy).filter((member) => !['per_agent_kinds', 'min_items', 'correlated'].includes(member));
  return (
    <ul class="texts">
      {Object.keys(kinds).map((role) => (
        <li key={role}>
          <RoleName view={view} role={role} />:{' '}
          <LinkedText text={readAs(kinds, { [role]: 'texts' })[role]?.join(', ') ?? ''} />
        </li>
      ))}
      {typeof policy.min_items === 'number' && (
        <li>{`at least ${plural(policy.min_items, 'item')} of evidence from each agent`}</li>
      )}
      {policy.correlated === true && <li>both sides show the same request_id</li>}
      {policy.correlated === false && <li>the two sides need not show the same request_id</li>}
      {rest.length > 0 && (
        <li>
          <Json value={policy} />
        </li>
      )}
    </ul>
  );
}

/** Shows the dependencies of the contract. A dependency has a name instead of an id. */
export function Dependencies({ view, contract }: { readonly view: SessionView; readonly contract: JsonObject }) {
  return (
    <>
      {readAs(contract, { dependencies: 'records' }).dependencies.map((value, index) => (
        <div class="part" key={index}>
          <h4>
            <LinkedText
              text={Object.values(readAs(value, { name: 'text', version: 'text' }))
                .filter(Boolean)
                .join(' ')}
            />
          </h4>
          <Fields
            view={view}
            value={value}
            fields={[
              ['why', 'Why', 'text'],
              ['assignee', 'Assigned to', 'role'],
              ['version', 'Version', 'text'],
            ]}
          />
        </div>
      ))}
    </>
  );
}
