import type { Engine } from '../engine/engine.ts';
import type { SessionRoot } from '../operation/operation.ts';
import type { Registry } from '../operation/registry.ts';
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
