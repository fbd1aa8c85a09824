import { type Json as JsonObject, readAs } from '../../../../src/text/read-as.ts';
import { visible } from '../../../../src/text/visible.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge } from '../../ui/text/shown.tsx';
import { type SchemaRow, schemaRows } from './schema-rows.ts';
import { Json, Leftover } from './values.tsx';

/** Shows a data model: a table of the fields in its JSON Schema, nested fields included, and the whole schema. */
export function SchemaBody({ value }: { readonly value: JsonObject }) {
  const { rows, isCut } = schemaRows(readAs(value, { json_schema: 'record' }).json_schema);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard. */}
      <div class="scroll-x" tabIndex={0}>
        <table class="schema">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Type</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row key={index} row={row} />
            ))}
          </tbody>
        </table>
      </div>
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
      <td>
        <LinkedText text={description} />
      </td>
    </tr>
  );
}
