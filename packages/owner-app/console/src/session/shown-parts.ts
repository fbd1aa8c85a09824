import { signal } from '@preact/signals';
import type { Json } from '../../../src/text/read-as.ts';

/** A part of the contract that has an id. A requirement of the session counts as a part too. */
export interface ContractPart {
  readonly kind: 'requirement' | 'interface' | 'data model' | 'task' | 'test' | 'gate' | 'risk' | 'safety condition';
  readonly id: string;
  readonly title: string;
  /** The part as it is stored in the contract. If the contract violates its schema, members can have any values. */
  readonly value: Json;
}

/** The parts of the contract that the page of the session shows or has last shown, by their ids. */
export const shownParts = signal<ReadonlyMap<string, ContractPart>>(new Map());

/** The ids of the scenarios that the tab Verify of the session shows or has last shown. */
export const shownScenarios = signal<ReadonlySet<string>>(new Set());

/** The id of the element with a scenario on the tab Verify. */
export const scenarioElement = (scenarioId: string): string => `scenario-${scenarioId}`;

/**
 * Empties the values of this file. Otherwise ids in the texts of the next session would become links to parts of this
 * session.
 */
export function forgetParts(): void {
  shownParts.value = new Map();
  shownScenarios.value = new Set();
}
