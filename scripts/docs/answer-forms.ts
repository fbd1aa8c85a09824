import { describeAllEvents, describeInterface, type EventReference } from '@parley/core';

export const file = 'packages/core/src/client/form-table.ts';

type Schema = Readonly<Record<string, unknown>>;
/** A form as `wrongMember` of the client reads it. */
type Form = string | readonly Form[] | { readonly [member: string]: Form };

/**
 * The members with a text on one line: Parley itself makes it, or refuses another text. A text of an agent or of a person that
 * is not listed can have lines, and a command prints it as such.
 */
const LINES = new Set(
  `ContentHash account_id base_url cause code code_prefix content_hash finding_id frozen_at handshake_sha256 hash key key_prefix kind
  manifest_id manifest_sha256 mcp_url next_after operation parent_content_hash part_id pause_id person_id phase prefix revision_id
  same_person_as scenario_id section sha256 shared_contract_sha256 since_content_hash status token token_prefix tool type validator_version wait_id
  Account.name ChangeCause.id LeftBehind.name ListedPerson.name Person.id Person.name RecordRef.id Requirement.requirement_id
  RevokedPerson.name whoAmI.id whoAmI.name`.split(/\s+/),
);

/** Members with the name of a line that an agent fills freely: `interfaces[].kind` of a turn. */
const FREE = new Set(['turn.posted.kind']);

/** Members that become a part of an address, of the name of a file, or of a command. */
const EXACT: Readonly<Record<string, Form>> = {
  session_id: 'SessionId',
  paused: 'SessionId',
  resumed: 'SessionId',
  'invite.code': '/^pinv_\\w+$/',
};

/** Words of which no later version has more. Another enumeration can have words that this version does not know. */
const CLOSED: ReadonlySet<string> = new Set(['Actor', 'Agent', 'Builder', 'Party', 'PersonRole']);

/** The members that contain the data of an event. Its form depends on the kind of the event. */
const DATA_OF_EVENTS = new Set(['AuditEvent.body', 'MessagePage.body', 'OwnerMessagePage.body']);

const WORD = /^[\w.-]{1,64}$/;

const DEFINED: Readonly<Record<string, Form>> = {
  SessionId: '/^\\w{1,64}$/',
  SentEvent: {
    seq: 'number',
    at: 'time',
    v: 'number',
    actor: 'Actor',
    'person?': 'Person',
    kind: 'word',
    data: 'event',
  },
};

/** A module with the form of each answer, so that a client can check an answer without the definitions of the operations. */
export function render(): string {
  const { agents, owner, components } = describeInterface((name) => name);
  const outputs = [...agents, ...owner.map(({ call, output }) => ({ name: call, output }))];
  const forms = new Map(outputs.map(({ name, output }) => [name, formOf(output, { within: name, member: name })]));
  forms.set('watch', 'SentEvent');
  const defined = { ...DEFINED };
  const define = (form: Form): void => {
    for (const name of namesIn(form)) {
      const schema = components[name];
      if (Object.hasOwn(defined, name) || schema === undefined) continue;
      const inner = formOf(schema, { within: name, member: name });
      Object.assign(defined, { [name]: inner });
      define(inner);
    }
  };
  for (const form of forms.values()) define(form);
  return `/** Generated from the registries by \`pnpm docs:answer-forms\`. */

/** The form of the answer to each call, as JSON. \`wrongMember\` describes forms. */
export const ANSWER_FORMS: Readonly<Record<string, string>> = {
${rows([...forms])}
};

/** The form of the data of each kind of event. */
export const EVENT_FORMS: Readonly<Record<string, string>> = {
${rows(describeAllEvents().map((event) => [event.kind, dataForm(event)]))}
};

/** The forms that other forms name. */
export const NAMED_FORMS: Readonly<Record<string, string>> = {
${rows(Object.entries(defined))}
};
`;
}

/** Answers leave out some members of the data. */
function dataForm({ kind, data, withheld, omitted }: EventReference): Form {
  const required = data.required?.filter((name) => !withheld.includes(name) && !omitted.includes(name));
  return formOf({ ...data, required }, { within: kind, member: kind });
}

const rows = (forms: readonly (readonly [string, Form])[]): string =>
  forms
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([name, form]) =>
        `  ${/^\w+$/.test(name) ? name : `'${name}'`}: '${JSON.stringify(form).replace(/[\\']/g, '\\$&')}',`,
    )
    .join('\n');

const namesIn = (form: Form): readonly string[] =>
  typeof form === 'string' ? (/^[A-Z]/.test(form) ? [form] : []) : Object.values(form).flatMap(namesIn);

/** Where a schema stands: in a member of a call or of a named schema. */
interface Place {
  readonly within: string;
  readonly member: string;
}

function formOf(schema: Schema, place: Place): Form {
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return $ref;
  const variants = [anyOf, oneOf].find(Array.isArray);
  if (variants) return eitherOf(variants.map((variant) => formOf(variant, place)));
  if (allOf !== undefined) throw new Error(`allOf has no form: ${place.within}.${place.member}.`);
  if (schema.const !== undefined) return `=${JSON.stringify(schema.const)}`;
  if (Array.isArray(type)) return eitherOf(type.map((one) => formOf({ ...schema, type: one }, place)));
  if (type === 'string') return textForm(schema, place);
  if (type === 'array') return ['[]', formOf(Object(schema.items), place)];
  if (type === 'object') return objectForm(schema, place.within);
  if (type === 'integer') return 'number';
  return typeof type === 'string' ? type : 'any';
}

function eitherOf(forms: readonly Form[]): Form {
  const different = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
  const [only, ...others] = different;
  return only !== undefined && others.length === 0 ? only : ['|', ...different];
}

function textForm({ enum: words, pattern, format }: Schema, { within, member }: Place): Form {
  const names = [`${within}.${member}`, member, within];
  if (Array.isArray(words)) return CLOSED.has(within) ? `/^(?:${words.join('|')})$/` : wordForm(words);
  if (format === 'date-time') return 'time';
  for (const name of names) if (EXACT[name] !== undefined) return EXACT[name];
  if (typeof pattern === 'string' && pattern !== '\\S') return `/${pattern}/`;
  const isLine = !FREE.has(`${within}.${member}`) && names.slice(0, 2).some((name) => LINES.has(name));
  return isLine ? 'line' : 'text';
}

function wordForm(words: readonly unknown[]): Form {
  const other = words.find((word) => !WORD.test(String(word)));
  if (other !== undefined) throw new Error(`${other} is no word.`);
  return 'word';
}

function objectForm({ properties, required, additionalProperties }: Schema, within: string): Form {
  const members = Object.entries(Object(properties)).map(([member, schema]) => [
    Array.isArray(required) && required.includes(member) ? member : `${member}?`,
    DATA_OF_EVENTS.has(`${within}.${member}`) ? 'event' : formOf(Object(schema), { within, member }),
  ]);
  const others =
    additionalProperties === undefined ? 'any' : formOf(Object(additionalProperties), { within, member: '*' });
  return Object.fromEntries([...members, ...(others === 'any' && members.length > 0 ? [] : [['*', others]])]);
}
