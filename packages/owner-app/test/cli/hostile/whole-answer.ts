import { ownerRoute } from '@parley/core/routes';
import { ANSWER_FORMS, EVENT_FORMS, NAMED_FORMS } from '../../../../core/src/client/form-table.ts';

const FORMS: Readonly<Record<string, string>> = { ...NAMED_FORMS, ...ANSWER_FORMS };

const MATCHING = [
  ...['s'.repeat(22), `pinv_${'c'.repeat(60)}`, 'agent_a', 'agent_b', 'owner', 'viewer', 'x-1'],
  ...['d_1', 'q_1', 'r_1', 'f_1', 'def_1', 'h_1', 'i_1', 'rec_1', 'act_1'],
];

const VALUES: Readonly<Record<string, unknown>> = {
  ...{
    any: null,
    boolean: true,
    number: 0,
    null: null,
    line: 'a line',
    word: 'ENDED',
    time: '2026-11-29T12:00:00.000Z',
    event: {},
  },
};

/**
 * An answer that has the form of the answers to a call.
 *
 * @param text the value of each text
 * @param items the number of items of each list
 */
export const wholeAnswer = (call: string, { text = 'a text', items = 0 } = {}): Readonly<Record<string, unknown>> =>
  Object(sampleOf(call, text, items));

function sampleOf(form: unknown, text: string, items: number): unknown {
  if (typeof form === 'string') {
    if (Object.hasOwn(FORMS, form)) return sampleOf(JSON.parse(FORMS[form] ?? ''), text, items);
    if (form.startsWith('=')) return JSON.parse(form.slice(1));
    if (form.startsWith('/')) return MATCHING.find((value) => new RegExp(form.slice(1, -1)).test(value));
    return form === 'text' ? text : VALUES[form];
  }
  if (Array.isArray(form)) {
    const [kind, ...forms] = form;
    if (kind === '[]' && items > 0 && isEvent(forms[0]))
      return Object.keys(EVENT_FORMS).map((name) => eventSample(name, forms[0], text, items));
    if (kind === '[]') return Array.from({ length: items }, () => sampleOf(forms[0], text, items));
    return forms.includes('null') && items === 0 ? null : sampleOf(forms[0], text, items);
  }
  const members = Object.entries(Object(form)).filter(([name]) => name !== '*' && (items > 0 || !name.endsWith('?')));
  return Object.fromEntries(members.map(([name, inner]) => [name.replace('?', ''), sampleOf(inner, text, items)]));
}

const isEvent = (form: unknown): boolean => Object.values(membersOf(form)).includes('event');

const membersOf = (form: unknown): object =>
  Object(typeof form === 'string' && Object.hasOwn(FORMS, form) ? JSON.parse(FORMS[form] ?? '') : form);

/** An event of this kind, as the answer has it. */
function eventSample(kind: string, form: unknown, text: string, items: number): unknown {
  const [data = ''] = Object.entries(membersOf(form)).find(([, inner]) => inner === 'event') ?? [];
  const body = sampleOf(JSON.parse(EVENT_FORMS[kind] ?? ''), text, items);
  return { ...Object(sampleOf(form, text, items)), kind, [data]: body };
}

/** The call of the owner that a request makes. Empty for another request. */
export function callOf(method = '', url = ''): string {
  const path = url.replace(/\?.*$/, '').replace('/owner/api', '');
  const isRoute = (name: string): boolean => {
    const [verb, pattern = ''] = ownerRoute(name).split(' ');
    return verb === method && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  };
  return Object.keys(ANSWER_FORMS).find(isRoute) ?? '';
}
