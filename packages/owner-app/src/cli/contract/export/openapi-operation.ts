import type { Json } from '../../../text/read-as.ts';
import { type HttpCall, type RequestParts, requestParts } from './http-call.ts';
import { isSchema, withoutReferences, withReferences } from './json-schema.ts';
import { citedIn, type Part, parameterOf, partOf } from './parts.ts';
import { type Answered, answersIn, errorsIn } from './responses.ts';
import { componentPath, type Interface, type Operation, referencesOf, type Source } from './source.ts';

/** Methods whose body has no meaning in HTTP. */
const WITHOUT_BODY = ['get', 'head', 'delete', 'options', 'trace'];

/** Headers that OpenAPI describes elsewhere: a parameter of this name is ignored. */
const NOT_PARAMETERS = ['accept', 'authorization', 'content-type'];

const JSON_TYPE = 'application/json';

interface Described {
  readonly one: Interface;
  readonly operation: Operation;
  readonly call: HttpCall;
  readonly id: string;
  /** The operation in words, for what is left out. */
  readonly of: string;
}

/** One operation of an interface, as OpenAPI has it. */
export function operationOf(source: Source, described: Described): Json {
  const { one, operation, call, id, of } = described;
  if (call.before !== '') source.leave(`${of}: ${call.before} before the path is left out: it is no address`);
  const parts = requestParts(operation.request, isSchema(operation.request));
  const { body, note } = bodyOf(source, described, parts);
  const parameters = parametersOf(source, described, parts);
  const { responses, others } = responsesOf(source, described);
  const cited = citedIn([one.description, operation], source.decisions);
  return {
    ...{ operationId: id, summary: operation.name, tags: [one.id] },
    ...(note !== undefined && { description: note }),
    ...(call.origin !== '' && { servers: [{ url: call.origin }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    ...(Object.keys(responses).length > 0 && { responses }),
    'x-parley': {
      interface: one.id,
      ...(cited.length > 0 && { decisions: cited }),
      ...(others.length > 0 && { errors: others }),
    },
  };
}

/** A part that leads to the data models of the document, and nowhere else. */
function placed(source: Source, of: string, part: Part | undefined): Part | undefined {
  const references = referencesOf(source, { of, model: componentPath });
  if (part?.kind === 'schema') return { ...part, schema: withReferences(part.schema, references) };
  return part?.kind === 'example' ? { ...part, example: withoutReferences(part.example, references.lost) } : part;
}

/** An error as the contract has it. What its references lead to is said where the response has its body. */
const saidIn = (source: Source, error: unknown): unknown =>
  withReferences(error, { ...referencesOf(source, { of: '', model: componentPath }), lost: () => {} });

function bodyOf(source: Source, { call, of }: Described, { body, headers, others }: RequestParts) {
  for (const name of Object.keys(others)) source.leave(`${of}: the member ${name} of its request is left out`);
  const part = placed(source, of, partOf(body, source.ids));
  if (part === undefined) return {};
  if (WITHOUT_BODY.includes(call.method)) {
    if (part.kind === 'text') return { note: `Request: ${part.text}` };
    source.leave(`${of}: its request is left out: ${call.method.toUpperCase()} has no body`);
    return {};
  }
  const [, given] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const type = typeof given === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(given) ? given : JSON_TYPE;
  return { body: part.kind === 'text' ? { description: part.text, content: { '*/*': {} } } : contentOf(part, type) };
}

/** The content of a body. The contract says nothing of its media type but in a header, and what it describes is JSON. */
const contentOf = (part: Part, type = JSON_TYPE): { readonly content: Json } => ({
  content: {
    [type]: part.kind === 'example' ? { example: part.example } : part.kind === 'schema' ? { schema: part.schema } : {},
  },
});

function parametersOf(
  source: Source,
  { call, of }: Described,
  { headers, query, path, others: _ }: RequestParts,
): Json[] {
  const parameter = (place: 'path' | 'query' | 'header', name: string, value: unknown): Json => ({
    ...{ name, in: place, ...(place === 'path' && { required: true }) },
    ...parameterOf(placed(source, of, partOf(value, source.ids))),
  });
  const named = { ...call.query, ...query };
  const kept = Object.entries(headers).filter(([name]) => !NOT_PARAMETERS.includes(name.toLowerCase()));
  for (const [name, value] of Object.entries(headers))
    if (!kept.some(([one]) => one === name) && !(name.toLowerCase() === 'content-type' && String(value).includes('/')))
      source.leave(`${of}: the header ${name} is left out: OpenAPI knows no parameter of this name`);
  return [
    ...call.variables.map((name) => parameter('path', name, Object.hasOwn(path, name) ? path[name] : undefined)),
    ...Object.entries(named).map(([name, value]) => parameter('query', name, value)),
    ...kept.map(([name, value]) => parameter('header', name, value)),
  ];
}

/** The answers by status. Several errors with one status are one response, which lists each as the contract has it. */
function responsesOf(source: Source, { operation, of }: Described) {
  const answered = answersIn(operation.response, source.ids);
  const failed = errorsIn(operation.errors, source.ids);
  for (const name of answered.left)
    source.leave(`${of}: the member ${name} of its response is left out: it is no status`);
  for (const error of failed.left) {
    const text = typeof error === 'string' ? error : JSON.stringify(error);
    source.leave(`${of}: the error ${JSON.stringify(text.slice(0, 80))} has no status: it is in x-parley only`);
  }
  const responses: Record<string, Json> = {};
  const statuses = new Set([...answered.answers, ...failed.answers].map(({ status }) => status));
  for (const status of statuses) {
    const ofStatus = (all: readonly Answered[]) => all.filter((one) => one.status === status);
    const said = failed.answers.filter((one) => one.status === status).map((one) => saidIn(source, one.said));
    const response = responseOf(source, of, [...ofStatus(answered.answers), ...ofStatus(failed.answers)]);
    responses[status] = said.length > 0 ? { ...response, 'x-parley': { errors: said } } : response;
  }
  return { responses, others: failed.left.map((error) => saidIn(source, error)) };
}

function responseOf(source: Source, of: string, answers: readonly Answered[]): Json {
  const bodies = answers.flatMap(({ body }) => placed(source, of, body) ?? []);
  const schemas = bodies.flatMap((body) => (body.kind === 'schema' ? [body.schema] : []));
  const examples = bodies.flatMap((body) => (body.kind === 'example' ? [body.example] : []));
  const media = {
    ...(schemas.length > 0 && { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } }),
    ...(examples.length > 0 && {
      examples: Object.fromEntries(examples.map((value, index) => [`example-${index + 1}`, { value }])),
    }),
  };
  const headers = Object.fromEntries(
    answers.flatMap((one) =>
      Object.entries(one.headers)
        .filter(([name]) => name.toLowerCase() !== 'content-type')
        .map(([name, value]) => [name, parameterOf(placed(source, of, partOf(value, source.ids)))]),
    ),
  );
  return {
    // OpenAPI demands a description, which may be empty.
    description: answers.flatMap(({ description }) => (description === '' ? [] : [description])).join('\n\n'),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(bodies.length > 0 && { content: { [JSON_TYPE]: media } }),
  };
}
