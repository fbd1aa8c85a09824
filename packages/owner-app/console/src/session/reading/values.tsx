import { isRecord } from '@parley/core/json';
import type { Form, Json as JsonObject } from '../../../../src/text/read-as.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/answers.ts';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown, TextBox } from '../../ui/text/markdown.tsx';
import { Role, SafeText } from '../../ui/text/shown.tsx';
import { nameIn } from '../record-text.tsx';

/** A JSON value as indented text. */
export function Json({ value }: { readonly value: unknown }) {
  return <TextBox text={JSON.stringify(value, null, 2) ?? ''} />;
}

/** A value of any type: a text as Markdown, an object with its members, anything else as JSON. */
export function Value({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <Markdown text={value} />;
  return isNamed(value) ? <Named members={value} depth={1} /> : <Json value={value} />;
}

const MAX_DEPTH = 5;

const isNamed = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

/** Shows the members of an object with their names. A reference such as `{"$ref": "dm-entry"}` is shown as a link. */
function Named({ members, depth }: { readonly members: JsonObject; readonly depth: number }) {
  const { $ref: target, ...others } = members;
  if (typeof target === 'string' && Object.keys(others).length === 0) return <IdLink id={target} />;
  return (
    <dl class="named">
      {Object.entries(members).map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{visible(name)}</code>
          </dt>
          <dd>
            {isNamed(value) && depth < MAX_DEPTH ? (
              <Named members={value} depth={depth + 1} />
            ) : (
              <Plain value={value} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Plain({ value }: { readonly value: unknown }) {
  if (typeof value === 'object' && value !== null) return <Json value={value} />;
  return <LinkedText in="span" class="said" text={String(value)} />;
}

export function Texts({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul class="bullets texts">
      {texts.map((text, index) => (
        <li key={index}>
          <Markdown text={text} />
        </li>
      ))}
    </ul>
  );
}

export function Ids({ ids }: { readonly ids: readonly string[] }) {
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <IdLink id={id} />
        </span>
      ))}
    </>
  );
}

/** Shows the display name of a role in this session. Any other text is shown unchanged. */
export function RoleName({ view, role }: { readonly view: SessionView; readonly role: string }) {
  if (role !== 'agent_a' && role !== 'agent_b') return <SafeText text={role} />;
  return <Role of={role} name={nameIn(view, role)} />;
}

interface LeftoverProps {
  readonly value: JsonObject;
  readonly forms: Readonly<Record<string, Form>>;
}

const FITS: Readonly<Record<Form, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  records: (value) => Array.isArray(value) && value.every(isRecord),
  record: isRecord,
  any: () => true,
};

/**
 * Shows the members that are not in `forms` or have a wrong type, as JSON, because the owner must see every member even if
 * the contract violates its schema.
 */
export function Leftover({ value, forms }: LeftoverProps) {
  const fits = ([name, given]: readonly [string, unknown]): boolean => {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    return form !== undefined && FITS[form](given);
  };
  const rest = Object.entries(value).filter((entry) => !fits(entry));
  if (rest.length === 0) return null;
  return (
    <div class="leftover">
      <p class="muted">These members do not match the contract schema:</p>
      <Json value={Object.fromEntries(rest)} />
    </div>
  );
}
