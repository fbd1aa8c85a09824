import { visible } from '../../../../src/text/visible.ts';
import { type Members, membersOf, textIn, textsIn } from '../../../../src/transcript/message.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Json, Leftover } from './values.tsx';

/** Shows a data model: a table of the properties in its JSON Schema, and the whole schema. */
export function SchemaBody({ value }: { readonly value: Members }) {
  const schema = membersOf(value.json_schema);
  const properties = Object.entries(membersOf(schema.properties));
  const required = textsIn(schema, 'required');
  return (
    <>
      {properties.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard.
        <div class="scroll-x" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Property</th>
                <th scope="col">Type</th>
                <th scope="col">Required</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {properties.map(([name, property]) => (
                <tr key={name}>
                  <td>
                    <code>{visible(name)}</code>
                  </td>
                  <td>
                    <code>{visible(typeOf(membersOf(property)))}</code>
                  </td>
                  <td>{required.includes(name) ? 'yes' : 'no'}</td>
                  <td>
                    <LinkedText text={textIn(membersOf(property), 'description')} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <details>
        <summary>The whole JSON Schema</summary>
        <Json value={value.json_schema} />
      </details>
      <Leftover value={value} forms={{ id: 'text', name: 'text', json_schema: 'any' }} />
    </>
  );
}

/** Describes the type of a property briefly. The whole schema is shown below the table. */
function typeOf(property: Members): string {
  if (typeof property.type === 'string') return property.type;
  if (Array.isArray(property.type)) return property.type.join(' or ');
  if (Array.isArray(property.enum)) return property.enum.map((value) => JSON.stringify(value)).join(' or ');
  return textIn(property, '$ref') || 'any';
}
