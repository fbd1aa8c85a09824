import type { Command } from 'commander';
import { CliError, EXIT } from '../exit-codes.ts';

/**
 * Matches a placeholder, such as `...`, `<your answer>` or `req_1: ...`. Printed command lines and examples contain a
 * placeholder where the owner must write a text.
 */
const PLACEHOLDER = /^(?:[\w-]+:\s*)?(?:\.{3,}|…)$|^<[^<>]+>$/;

/**
 * Refuses a command line with a placeholder as the value of an option.
 *
 * @throws CliError with the exit code USAGE
 */
export function refusePlaceholders(command: Command): void {
  const option = command.options.find((candidate) => hasPlaceholder(command.getOptionValue(candidate.attributeName())));
  if (option)
    throw new CliError(
      EXIT.USAGE,
      `The value of ${option.long} is a placeholder. Write your own value in its place. Nothing was changed.`,
    );
}

const hasPlaceholder = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasPlaceholder)
    : typeof value === 'string' && PLACEHOLDER.test(value.replaceAll(/["'“”]/g, '').trim());
