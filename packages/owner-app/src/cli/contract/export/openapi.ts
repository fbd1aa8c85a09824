import { isRecord } from '@parley/core/json';
import type { Json } from '../../../text/read-as.ts';
import {
  backReference,
  citedIn,
  componentPath,
  componentSchemas,
  type Interface,
  isSchema,
  type Operation,
  type Part,
  parameterOf,
  partOf,
  referencesOf,
  type Source,
  withoutReferences,
  withReferences,
} from './source.ts';

/** The method and the address of an HTTP operation, as its name says them. */
interface HttpCall {
  readonly method: string;
  /** With the names of its variables in braces. */
  readonly path: string;
  readonly variables: readonly string[];
  /** The query parameters in the name, with what the name says of each. */
  readonly query: Readonly<Record<string, string>>;
  /** The origin before the path. Empty if there is none. */
  readonly origin: string;
  /** What stands before the path and is no origin, such as a variable. Empty if there is nothing. */
  readonly before: string;
}

const CALL = /^\s*(get|put|post|delete|options|head|patch|trace)\s+(\S+)/i;

/** Reads `POST /v1/captures`, `GET /orders/:id?after=<id>`, or the members `method` and `path` of a request. */
function httpCall({ name, request }: Operation): HttpCall | undefined {
  const { method: saidMethod, path: saidPath, url } = isRecord(request) ? request : {};
  const [, method = saidMethod, target = saidPath ?? url] = CALL.exec(name) ?? [];
  if (typeof method !== 'string' || typeof target !== 'string' || !CALL.test(`${method} ${target}`)) return undefined;
  const [address = '', query = ''] = target.split(/\?(.*)/s);
  const origin = /^https?:\/\/[^/{}<>]+/i.exec(address)?.[0] ?? '';
  const rest = address.slice(origin.length);
  const from = rest.indexOf('/');
  if (from < 0) return undefined;
  const path = rest
    .slice(from)
    .replace(/(?<=\/):([A-Za-z_]\w*)/g, '{$1}')
    .replace(/<([^<>/{}]+)>/g, '{$1}');
  const variables = [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, variable = '']) => variable);
  // A variable twice, or a brace that belongs to none, is no template of a path.
  if (new Set(variables).size < variables.length || /[{}]/.test(path.replace(/\{[^{}/]+\}/g, ''))) return undefined;
  return {
    ...{ method: method.toLowerCase(), path, variables, origin, before: rest.slice(0, from) },
    query: Object.fromEntries(query.split('&').filter(Boolean).map(queryMember)),
  };
}

function queryMember(member: string): [string, string] {
  const [name = '', ...value] = member.split('=');
  return [name, value.join('=').replace(/^<(.*)>$/, '$1')];
}

/** Two paths are one for OpenAPI if they differ only in the names of their variables. */
const pathForm = (path: string): string => path.replace(/\{[^{}]+\}/g, '{}');

/** A request with its parts apart. */
interface RequestParts {
  readonly headers: Json;
  readonly query: Json;
  readonly path: Json;
  readonly body: unknown;
  /** Members of another name. */
  readonly others: Json;
}

/** The parts of a request. A request that names none of them is a body. */
function requestParts(request: unknown, isSchema: boolean): RequestParts {
  const empty = { headers: {}, query: {}, path: {}, others: {} };
  if (!isRecord(request) || isSchema || !['headers', 'query', 'body'].some((part) => Object.hasOwn(request, part)))
    return { ...empty, body: request };
  const { headers, query, path, body, method: _method, url: _url, ...others } = request;
  const members = (value: unknown, name: string): Json =>
    isRecord(value)
      ? value
      : value === undefined || (typeof value === 'string' && name === 'path')
        ? {}
        : { [name]: value };
  return {
    headers: members(headers, 'headers'),
    query: members(query, 'query'),
    path: members(path, 'path'),
    body,
    others,
  };
}

/** One answer of an operation. */
interface Answered {
  /** A status, a range such as `2XX`, or `default`. */
  readonly status: string;
  readonly description: string;
  readonly headers: Json;
  readonly body: Part | undefined;
}

const STATUS = /^(?:[1-5]\d\d|[1-5]XX|default)$/;

/** What is said of a success without its status. `default` would say it of the errors too. */
const SUCCESS = '2XX';

/** The answers of a member `response`, and the names of members that are none. */
function answersIn(response: unknown, models: ReadonlySet<string>): { answers: Answered[]; left: string[] } {
  if (isRecord(response) && Object.keys(response).some((name) => STATUS.test(name))) {
    const answers = Object.entries(response)
      .filter(([name]) => STATUS.test(name))
      .map(([status, value]) => answerOf(status, value, models));
    return { answers, left: Object.keys(response).filter((name) => !STATUS.test(name)) };
  }
  const body = partOf(response, models);
  if (body === undefined) return { answers: [], left: [] };
  if (body.kind !== 'text') return { answers: [answerOf(SUCCESS, response, models)], left: [] };
  const [status = SUCCESS] = /^[1-5]\d\d\b/.exec(body.text) ?? [];
  return { answers: [{ status, description: body.text, headers: {}, body: undefined }], left: [] };
}

const PARTS = ['body', 'when', 'headers', 'description', 'meaning'];

function answerOf(status: string, value: unknown, models: ReadonlySet<string>): Answered {
  if (isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => PARTS.includes(name))) {
    const part = partOf(value.body, models);
    const said = [value.when, value.description, value.meaning, part?.kind === 'text' ? part.text : undefined];
    return {
      status,
      description: said.filter((text) => typeof text === 'string').join('\n\n'),
      headers: isRecord(value.headers) ? value.headers : {},
      body: part?.kind === 'text' ? undefined : part,
    };
  }
  const part = partOf(value, models);
  return part?.kind === 'text'
    ? { status, description: part.text, headers: {}, body: undefined }
    : { status, description: '', headers: {}, body: part };
}

/** An error of an operation with its status. `said` is the error as the contract has it. */
interface ErrorAnswer extends Answered {
  readonly said: unknown;
}

/** The errors whose status is said, and the others. */
function errorsIn(errors: unknown, models: ReadonlySet<string>): { answers: ErrorAnswer[]; left: unknown[] } {
  const answers: ErrorAnswer[] = [];
  const left: unknown[] = [];
  for (const error of Array.isArray(errors) ? errors : []) {
    const answer = errorAnswer(error, models);
    if (answer) answers.push(answer);
    else left.push(error);
  }
  return { answers, left };
}

function errorAnswer(error: unknown, models: ReadonlySet<string>): ErrorAnswer | undefined {
  if (typeof error === 'string') {
    const [, status] = /^\s*([1-5]\d\d)\b/.exec(error) ?? [];
    return status === undefined
      ? undefined
      : { status, description: error.trim(), headers: {}, body: undefined, said: error };
  }
  if (!isRecord(error) || !STATUS.test(String(error.status))) return undefined;
  const { status, code, meaning, description, body } = error;
  const part = partOf(body, models);
  const words = [code, meaning ?? description].filter((text) => typeof text === 'string');
  return {
    status: String(status),
    description: [words.join(': '), ...(part?.kind === 'text' ? [part.text] : [])].join('\n\n'),
    headers: isRecord(error.headers) ? error.headers : {},
    body: part?.kind === 'text' ? undefined : part,
    said: error,
  };
}

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
function operationOf(source: Source, described: Described): Json {
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

/** The HTTP interfaces that one side provides, as OpenAPI 3.1. Undefined if there are none. */
export function openApi(source: Source, provider: string): Json | undefined {
  const interfaces = source.interfaces.filter((one) => one.kind === 'http' && one.provider === provider);
  const paths: Record<string, Record<string, unknown>> = {};
  const forms = new Map<string, string>();
  for (const one of interfaces)
    for (const [index, operation] of one.operations.entries()) {
      const of = `${one.id}, ${operation.name}`;
      const call = httpCall(operation);
      if (!call) {
        source.leave(`${of}: left out: the name says no method and path, such as POST /v1/captures`);
        continue;
      }
      const path = forms.get(pathForm(call.path)) ?? call.path;
      const known = paths[path]?.[call.method];
      if (path !== call.path || known !== undefined) {
        source.leave(`${of}: left out: another operation has this method and path, or this path with other variables`);
        continue;
      }
      forms.set(pathForm(path), path);
      const id = one.operations.length === 1 ? one.id : `${one.id}-${index + 1}`;
      paths[path] = { ...paths[path], [call.method]: operationOf(source, { one, operation, call, id, of }) };
    }
  if (Object.keys(paths).length === 0) return undefined;
  const { title, summary, decisions } = source;
  return {
    openapi: '3.1.0',
    info: { title: `${title} (${provider})`, version: source.file.revision_id, description: summary },
    tags: interfaces.map(({ id, name, description }) => ({ name: id, description: `${name}\n\n${description}` })),
    paths,
    components: { schemas: componentSchemas(source) },
    'x-parley': { ...backReference(source), decisions },
  };
}
