import { isRecord } from '@parley/core/json';
import { plural } from '@parley/core/text';
import type { ComponentChildren } from 'preact';
import { type Form, type Json as JsonObject, readAs } from '../../../../src/text/read-as.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/answers.ts';
import { Heads } from '../../ui/card.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown, WideBox } from '../../ui/text/markdown.tsx';
import { Badge } from '../../ui/text/shown.tsx';
import type { ContractPart } from '../shown-parts.ts';
import { type SchemaRow, schemaRows } from './contract-model.ts';
import { Ids, Json, Leftover, RoleName, Texts, Value } from './values.tsx';

interface InterfaceBodyProps {
  readonly view: SessionView;
  readonly value: JsonObject;
}

const INTERFACE_FORMS = {
  ...({ id: 'text', name: 'text', kind: 'text', provider: 'text', consumers: 'texts' } as const),
  ...({ description: 'text', operations: 'records' } as const),
};

/** An interface: its provider and consumers, and tables of its operations and their errors. */
function InterfaceBody({ view, value }: InterfaceBodyProps) {
  const { kind, provider, consumers, description, operations } = readAs(value, INTERFACE_FORMS);
  return (
    <>
      <p class="facts">
        <span>{visible(kind)}</span>
        <span>
          provided by <RoleName view={view} role={provider} />
        </span>
        {consumers.length > 0 && (
          <span>
            used by{' '}
            {consumers.map((role, index) => (
              <span key={role}>
                {index > 0 && ', '}
                <RoleName view={view} role={role} />
              </span>
            ))}
          </span>
        )}
      </p>
      <Markdown text={description} />
      {operations.map((operation, index) => (
        <Operation key={`${index} ${readAs(operation, OPERATION).name}`} operation={operation} />
      ))}
      <Leftover value={value} forms={INTERFACE_FORMS} />
    </>
  );
}

const OPERATION = { name: 'text', request: 'any', response: 'any', errors: 'any' } as const;

function Operation({ operation }: { readonly operation: JsonObject }) {
  const { name } = readAs(operation, OPERATION);
  const errors = Array.isArray(operation.errors) ? operation.errors : [];
  return (
    <section class="operation quote" aria-label={visible(name)}>
      <h5>
        <LinkedText in="code" text={name} isCode />
      </h5>
      <WideBox>
        <table class="exchange">
          <tbody>
            {(['request', 'response'] as const)
              .filter((member) => member in operation)
              .map((member) => (
                <tr key={member}>
                  <th scope="row">{member}</th>
                  <td>
                    <Value value={operation[member]} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </WideBox>
      {errors.length > 0 && <Errors errors={errors} />}
      <Leftover value={operation} forms={OPERATION} />
      {'errors' in operation && !Array.isArray(operation.errors) && <Json value={operation.errors} />}
    </section>
  );
}

/**
 * Shows the errors of an operation as a table with a column for each member. If an error is only a text, its cell is as
 * wide as the table.
 */
function Errors({ errors }: { readonly errors: readonly unknown[] }) {
  const columns = [...new Set(errors.flatMap((error) => Object.keys(isRecord(error) ? error : {})))];
  return (
    <WideBox>
      <table class="errors">
        <caption>Errors</caption>
        {columns.length > 0 && <Heads of={columns} />}
        <tbody>
          {errors.map((error, index) => (
            <tr key={index}>
              {typeof error === 'string' ? (
                <td colSpan={Math.max(1, columns.length)}>
                  <LinkedText text={error} />
                </td>
              ) : (
                columns.map((column) => (
                  <td key={column}>
                    <Cell value={isRecord(error) ? error[column] : undefined} />
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </WideBox>
  );
}

function Cell({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null ? <Value value={value} /> : <LinkedText text={String(value)} />;
}

type Mapping = NonNullable<SessionView['preflight']>['mappings'][number];

const GROUPS = ['decisions', 'tasks', 'tests', 'gates'] as const satisfies readonly (keyof Mapping)[];

interface RequirementBodyProps extends Pick<InterfaceBodyProps, 'view'> {
  readonly requirementId: string;
}

/** A requirement with its acceptance criteria, and the parts of the contract that meet it according to the author's preflight. */
function RequirementBody({ view, requirementId }: RequirementBodyProps) {
  const { preflight, requirements } = view;
  const requirement = requirements.find(({ requirement_id }) => requirement_id === requirementId);
  const criteria = requirement?.acceptance_criteria ?? [];
  const mapping = preflight?.mappings.find(({ requirement_id }) => requirement_id === requirementId);
  const missing = preflight?.faults.find(({ requirement_id }) => requirement_id === requirementId)?.missing ?? [];
  return (
    <>
      <LinkedText in="p" text={requirement?.text ?? ''} />
      {criteria.length > 0 && (
        <dl class="fields">
          <div>
            <dt>Accepted when</dt>
            <dd>
              <Texts texts={criteria} />
            </dd>
          </div>
        </dl>
      )}
      {preflight && !mapping && <Badge tone="bad">not mapped</Badge>}
      {mapping && (
        <p class="facts">
          {GROUPS.filter((group) => mapping[group].length > 0).map((group) => (
            <span key={group}>
              {group} <Ids ids={mapping[group]} />
            </span>
          ))}
        </p>
      )}
      {missing.length > 0 && (
        <p>
          <Badge tone="bad">not in the contract:</Badge> <Ids ids={missing} />
        </p>
      )}
      {mapping?.note && <LinkedText in="p" class="muted" text={mapping.note} />}
    </>
  );
}

/** Shows a data model: a table of the fields in its JSON Schema, nested fields included, and the whole schema. */
function SchemaBody({ value }: { readonly value: JsonObject }) {
  const { rows, isCut } = schemaRows(readAs(value, { json_schema: 'record' }).json_schema);
  return (
    <>
      <WideBox>
        <table class="schema">
          <Heads of={['Field', 'Type', 'Description']} />
          <tbody>
            {rows.map((row, index) => (
              <Row key={index} row={row} />
            ))}
          </tbody>
        </table>
      </WideBox>
      {isCut && <p class="muted">The whole schema below has more fields.</p>}
      <details>
        <summary>The whole JSON Schema</summary>
        <Json value={value.json_schema} />
      </details>
      <Leftover value={value} forms={{ id: 'text', name: 'text', json_schema: 'any' }} />
    </>
  );
}

function Row({ row: { path, type, isRequired, description } }: { readonly row: SchemaRow }) {
  return (
    <tr>
      <td>
        {path === '' ? 'The value itself' : <code>{visible(path)}</code>} {isRequired && <Badge>required</Badge>}
      </td>
      <td>
        <code>{visible(type)}</code>
      </td>
      <LinkedText in="td" text={description} />
    </tr>
  );
}

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

interface FieldsProps extends InterfaceBodyProps {
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
      return value[member] === undefined ? null : (
        <Policy view={view} policy={readAs(value, { [member]: 'record' })[member] ?? {}} />
      );
  }
}

/** Shows which kinds of evidence a test requires from each agent, and how many items of evidence are required. */
function Policy({ view, policy }: { readonly view: SessionView; readonly policy: JsonObject }) {
  const { per_agent_kinds: kinds } = readAs(policy, { per_agent_kinds: 'record' });
  const rest = Object.keys(policy).filter((member) => !['per_agent_kinds', 'min_items', 'correlated'].includes(member));
  return (
    <ul class="bullets texts">
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
