import { ParleyError } from '../errors.ts';
import { type Registry, roleClass } from '../operation/registry.ts';
import type { Agent } from '../roles.ts';

/** Matches names such as `read_task` that are not followed by a route in parentheses. */
const NAME = /\b[a-z]+(?:_[a-z]+)+\b(?! \()/g;

/**
 * Adds routes to the hint of an error, for an agent that calls over REST. The route stands in parentheses after the first mention
 * of each tool.
 */
export function withRoutes<S>(registry: Registry<S>, role: Agent, error: ParleyError): ParleyError {
  const { hint } = error.body();
  const routedNames = new Set<string>();
  const routed = hint.replace(NAME, (name) => {
    const rest = registry.tool(role, name)?.rest;
    if (!rest || routedNames.has(name)) return name;
    routedNames.add(name);
    return `${name} (${typeof rest === 'string' ? rest : rest[roleClass(role)]})`;
  });
  return routedNames.size === 0
    ? error
    : new ParleyError(error.code, error.message, { ...error.details, hint: routed });
}
