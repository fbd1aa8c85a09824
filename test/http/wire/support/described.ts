import { type OpenApi, openApiDocument } from '@parley/owner-app';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { at, type Heard, type Sent } from '../../../support/exchange.ts';

/** Names of schemas that allow additional members. */
const OPEN = new Set(['Error']);

/** Returns a copy of the document that forbids additional members, so that undocumented members are found. */
function closed(document: OpenApi): object {
  const close = (node: unknown, name = ''): unknown => {
    if (Array.isArray(node)) return node.map((item) => close(item));
    if (typeof node !== 'object' || node === null) return node;
    const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value, key)]));
    const isObject = 'properties' in node && !('additionalProperties' in node) && !OPEN.has(name);
    return isObject ? { ...inner, additionalProperties: false } : inner;
  };
  return Object(close(document));
}

export interface Description {
  /**
   * Describes how an answer differs from the document. Undefined if there is no difference, or if the document does not
   * contain the request.
   */
  undescribed(sent: Sent, heard: Heard): string | undefined;
  /** Describes how the result of an operation differs from the document. Undefined if there is no difference. */
  undescribedResult(operationId: string, result: unknown): string | undefined;
}

export function readDescription(openApi: OpenApi): Description {
  const document = closed(openApi);
  const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ };
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats }).addSchema(document, 'openapi');
  const routes = routesIn(document);
  const validators = new Map<string, ValidateFunction>();

  function faultAt(place: readonly string[], value: unknown): string | undefined {
    const path = [...place, 'content', 'application/json', 'schema'];
    if (at(document, ...path) === undefined) return undefined;
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
    validators.set(pointer, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  }

  return {
    undescribed({ method, path }, { status, json }) {
      const [bare = ''] = path.split('?');
      const route = routes.find((candidate) => candidate.method === method && candidate.pattern.test(bare));
      if (!route) return undefined;
      const { name, responses, place } = route;
      const key = [String(status), `${Math.trunc(status / 100)}XX`].find((candidate) =>
        Object.hasOwn(responses, candidate),
      );
      if (key === undefined) return `${name} does not describe ${status}.`;
      const reference = at(responses, key, '$ref');
      const response = typeof reference === 'string' ? reference.split('/').slice(1) : [...place, key];
      const code = at(json, 'error');
      const named = `${at(responses, key, 'description')} ${at(document, ...response, 'description')}`;
      if (typeof code === 'string' && !named.includes(code)) return `${name} does not name ${code} at ${status}.`;
      const fault = faultAt(response, json);
      return fault && `${name} ${status}: ${fault}`;
    },
    undescribedResult(operationId, result) {
      const route = routes.find(({ ids }) => ids.includes(operationId));
      if (!route) return `There is no operation ${operationId}.`;
      const fault = faultAt([...route.place, '200'], result);
      return fault && `${operationId}: ${fault}`;
    },
  };
}

function routesIn(document: object) {
  return Object.entries(Object(at(document, 'paths'))).flatMap(([path, item]) =>
    Object.entries(Object(item))
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        name: `${method.toUpperCase()} ${path}`,
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        ids: String(at(operation, 'operationId')).split('_or_'),
        responses: Object(at(operation, 'responses')),
        place: ['paths', path, method, 'responses'],
      })),
  );
}

export const AGENTS_DESCRIPTION = readDescription(openApiDocument({ version: '1.0.0' }));
