import type { Engine } from '../engine/engine.ts';
import { ParleyError } from '../errors.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { type Registry, roleClass } from '../operation/registry.ts';
import type { Agent } from '../roles.ts';
import type { Windows } from '../token/rate-windows.ts';

/**
 * The parts that are needed to answer requests from outside: the rate windows, the registry of the agents' operations,
 * and the engine.
 */
export interface Entry<S extends SessionRoot> {
  readonly engine: Engine<S>;
  readonly registry: Registry<S>;
  readonly windows: Windows;
}

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
