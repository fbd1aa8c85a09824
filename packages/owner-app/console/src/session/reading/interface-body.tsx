import { isRecord } from '@parley/core/json';
import { type Json as JsonObject, readAs } from '../../../../src/text/read-as.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/types.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Json, Leftover, RoleName, Value } from './values.tsx';

interface InterfaceBodyProps {
  readonly view: SessionView;
  readonly value: JsonObject;
}

const FORMS = {
  ...({ id: 'text', name: 'text', kind: 'text', provider: 'text', consumers: 'texts' } as const),
  ...({ description: 'text', operations: 'records' } as const),
};

/** An interface: its provider and consumers, and tables of its operations and their errors. */
export function InterfaceBody({ view, value }: InterfaceBodyProps) {
  const { kind, provider, consumers, description, operations } = readAs(value, FORMS);
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
      <Leftover value={value} forms={FORMS} />
    </>
  );
}

const OPERATION = { name: 'text', request: 'any', response: 'any', errors: 'any' } as const;

function Operation({ operation }: { readonly operation: JsonObject }) {
  const { name } = readAs(operation, OPERATION);
  const errors = Array.isArray(operation.errors) ? operation.errors : [];
  return (
    <section class="operation" aria-label={visible(name)}>
      <h5>
        <code>
          <LinkedText text={name} isCode />
        </code>
      </h5>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard. */}
      <div class="scroll-x" tabIndex={0}>
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
      </div>
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard.
    <div class="scroll-x" tabIndex={0}>
      <table class="errors">
        <caption>Errors</caption>
        {columns.length > 0 && (
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {visible(column)}
                </th>
              ))}
            </tr>
          </thead>
        )}
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
    </div>
  );
}

function Cell({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null ? <Value value={value} /> : <LinkedText text={String(value)} />;
}
