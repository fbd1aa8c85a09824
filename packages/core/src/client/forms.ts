import { isRecord, parseOrNull } from '../kernel/text/json-value.ts';
import { ANSWER_FORMS, EVENT_FORMS, NAMED_FORMS } from './form-table.ts';

/**
 * The form of a value in an answer:
 *
 * - `any`, `boolean`, `number`, `null`
 * - `text`, which can have lines; `line`, a text without control characters and line separators; `word`, a word of an
 *   enumeration, also one that this version does not know, but no name of a member that every object has, because a table of
 *   words would have it; `time`, in ISO 8601 and UTC
 * - `/…/`, a text that matches the regular expression; `=…`, the value with this JSON
 * - `event`, the data of an event, whose form depends on the member `kind` beside it. The data of a kind that this version does not
 *   know is an object
 * - the name of another form, which begins with a capital letter
 * - `['[]', form]`, a list; `['|', form, …]`, a value of one of the forms
 * - an object with the forms of its members. A member whose name ends in `?` can be missing. `*` is the form of every other member;
 *   without it they are not checked, because a later version may add members
 */
type Form = string | readonly Form[] | { readonly [member: string]: Form };

/**
 * Checks the form of the answer to a call.
 *
 * @param call its name, such as `view` or `read_task`
 * @returns the place of the first member that has not its form, such as `sessions[3].title`: empty for the answer itself.
 * Undefined if the answer has the form
 */
export const wrongMember = (call: string, answer: unknown): string | undefined =>
  wrongIn(formNamed(call, ANSWER_FORMS), answer, '');

const parsed = new Map<string, Form>();

function formNamed(name: string, forms: Readonly<Record<string, string>>, otherwise: Form = 'any'): Form {
  const text = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (text === undefined) return otherwise;
  const known = parsed.get(name) ?? (parseOrNull(text) as Form);
  parsed.set(name, known);
  return known;
}

function wrongIn(form: Form, value: unknown, place: string): string | undefined {
  if (typeof form === 'string')
    return /^[A-Z]/.test(form)
      ? wrongIn(formNamed(form, NAMED_FORMS), value, place)
      : hasForm(form, value)
        ? undefined
        : place;
  if (!isList(form)) return isRecord(value) ? wrongMemberOf(value, form, place) : place;
  const [kind, ...forms] = form;
  if (kind === '|') return wrongInEach(forms, value, place);
  if (!Array.isArray(value)) return place;
  const [inner = 'any'] = forms;
  for (const [index, item] of value.entries()) {
    const wrong = wrongIn(inner, item, `${place}[${index}]`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const isList = (form: Form): form is readonly Form[] => Array.isArray(form);

/** A value that is not null and has only one other form is wrong where it differs from that form. */
function wrongInEach(forms: readonly Form[], value: unknown, place: string): string | undefined {
  const possible = forms.filter((form) => form !== 'null');
  if (value === null && possible.length < forms.length) return undefined;
  const wrong = possible.map((form) => wrongIn(form, value, place));
  if (wrong.includes(undefined)) return undefined;
  return wrong.length === 1 ? wrong[0] : place;
}

function wrongMemberOf(
  value: Readonly<Record<string, unknown>>,
  { '*': others = 'any', ...members }: { readonly [member: string]: Form },
  place: string,
): string | undefined {
  for (const [name, form] of Object.entries(members)) {
    const member = name.replace(/\?$/, '');
    const at = place === '' ? member : `${place}.${member}`;
    const wrong = Object.hasOwn(value, member)
      ? wrongIn(form === 'event' ? formOfData(value.kind) : form, value[member], at)
      : member === name
        ? at
        : undefined;
    if (wrong !== undefined) return wrong;
  }
  if (others === 'any') return undefined;
  // The name of such a member comes from the sender, so it is not a part of the place.
  const isOther = (name: string): boolean => !Object.hasOwn(members, name) && !Object.hasOwn(members, `${name}?`);
  return Object.entries(value)
    .filter(([name]) => isOther(name))
    .map(([, member]) => wrongIn(others, member, `${place}.*`))
    .find((wrong) => wrong !== undefined);
}

const formOfData = (kind: unknown): Form => formNamed(String(kind), EVENT_FORMS, {});

const LINE = /^[^\p{Cc}\u2028\u2029]*$/u;
const WORD = /^[\w.-]{1,64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

function hasForm(form: string, value: unknown): boolean {
  if (form === 'any') return true;
  if (form === 'null') return value === null;
  if (form === 'boolean') return typeof value === 'boolean';
  if (form === 'number') return Number.isFinite(value);
  if (form.startsWith('=')) return JSON.stringify(value) === form.slice(1);
  if (typeof value !== 'string') return false;
  if (form === 'text') return true;
  if (form === 'line') return LINE.test(value);
  if (form === 'word') return WORD.test(value) && !(value in Object.prototype);
  return form === 'time' ? TIME.test(value) : new RegExp(form.slice(1, -1)).test(value);
}
