import { type OwnerListing, ownerListings } from '@parley/core';
import type { Option } from 'commander';
import { kebabCase } from '../../text/kebab.ts';
import type { Json } from '../client/request.ts';
import { shellWord } from '../print/shell-word.ts';
import { flagsOf, type InputFlag } from './flags.ts';
import { wordsOf } from './word-option.ts';

/** An example of a command line: the command with its mandatory flags. */
export function exampleOf(name: string, flags: readonly InputFlag[]): string {
  const needed = flags.flatMap(({ options }) => options.filter(({ mandatory }) => mandatory));
  return ['parley', name, 'SESSION', ...needed.map((option) => `${option.long} ${sampleOf(option)}`)].join(' ');
}

/** A call of an owner operation that completes a task, with those members of its input that are known. */
export interface Settling {
  readonly operation: string;
  readonly sessionId: string;
  readonly payload: Json;
}

/** The command line that calls the operation, ready to paste. The owner replaces `"..."` in it. */
export function settlingLine(program: string, { operation, sessionId, payload }: Settling): string {
  if (operation === 'verifyLog') return `${program} verify-log ${sessionId}`;
  const listing = ownerListings.find(({ name }) => name === operation);
  if (!listing) return `${program} view ${sessionId}`;
  return [program, kebabCase(operation), sessionId, ...flagTexts(listing, payload)].join(' ');
}

function flagTexts({ input }: OwnerListing, payload: Json): string[] {
  return flagsOf(input).flatMap(({ member, options: [option] }) => {
    const value = payload[member];
    if (!option || (value === undefined && !option.mandatory)) return [];
    return [`${option.long} ${value === undefined || isPlaceholder(value) ? sampleOf(option) : valueText(value)}`];
  });
}

/** Whether a value is a placeholder such as `<reason>`, in whose place the owner writes a value. */
const isPlaceholder = (value: unknown): boolean => typeof value === 'string' && /^<.*>$/s.test(value);

function valueText(value: unknown): string {
  if (Array.isArray(value)) return shellWord(value.map(String).join(','));
  return shellWord(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function sampleOf(option: Option): string {
  const taken = wordsOf(option);
  if (taken) return taken.isList ? taken.words.join(',') : (taken.words[0] ?? '');
  return option.flags.endsWith('<number>') ? '2' : '"..."';
}
