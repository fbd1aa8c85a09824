import { beforeAll, describe, expect, test } from 'vitest';
import { formatBoard } from '../../../packages/owner-app/src/cli/print/format-board.ts';
import { formatSession } from '../../../packages/owner-app/src/cli/print/format-session.ts';
import { createMessagePrinter } from '../../../packages/owner-app/src/cli/print/message-printer.ts';
import { outlineLines } from '../../../packages/owner-app/src/text/table.ts';
import { type Message, messageOf } from '../../../packages/owner-app/src/transcript/message.ts';
import { fakeTerminal } from '../../../packages/owner-app/test/fake-terminal.ts';
import { type Reading, readContract, readHistory, readStanding } from './support/reads.ts';
import { playStory, type Script } from './support/story.ts';
import { ALL_TEXTS } from './texts/hostile-texts.ts';

const page = { columns: 80, paint: (_format: unknown, text: string) => text };

/**
 * Matches characters that move the cursor, end a line, or hide or reorder text. Joiners and emoji selectors are
 * allowed.
 */
const ACTS =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/** Maps each read at each step to the lines that the command line prints. */
type Screens = ReadonlyMap<string, readonly string[]>;

async function screensOf(script: Omit<Script, 'look'>): Promise<Screens> {
  const screens = new Map<string, readonly string[]>();
  await playStory({
    ...script,
    async look(session, moment) {
      for (const { role, read, answer } of await readStanding(session))
        if (role === 'owner') screens.set(`${read}, ${moment}`, linesOf(read, answer));
      if (moment !== 'objections' && moment !== 'ended') return;
      for (const { role, read, answer } of await readContract(session))
        if (role === 'owner') screens.set(`${read}, ${moment}`, outlineLines(answer, page));
      if (moment === 'ended') for (const [name, lines] of talks(await readHistory(session))) screens.set(name, lines);
    },
  });
  return screens;
}

function linesOf(read: string, answer: unknown): string[] {
  if (read === 'view') return formatSession(Object(answer), { terminal: fakeTerminal(), nowMs: 0 });
  if (read === 'board') return formatBoard(Object(answer), page);
  return outlineLines(answer, page);
}

/** The printed lines of the conversation, once from the transcript and once from the exported log. */
function talks(history: readonly Reading[]): [name: string, lines: string[]][] {
  return ['transcript', 'exportLog'].map((name) => {
    const printer = createMessagePrinter(page);
    const messages = history.flatMap(({ read, answer }): Message[] =>
      read === name ? (Object(answer).messages ?? Object(answer).log.map(messageOf)) : [],
    );
    return [name, messages.flatMap(printer.lines)];
  });
}

let plain: Screens;
beforeAll(async () => {
  plain = await screensOf({ textAt: () => 'x', names: 'plain' });
});

describe.each([0, 97])('on a terminal, hostile texts from the one numbered %i', (offset) => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await screensOf({
      textAt: (index) => ALL_TEXTS[(index + offset) % ALL_TEXTS.length] ?? '',
      names: offset,
    });
  });

  test('hold nothing that a terminal or a reader would not see as a letter', () => {
    const acting = [...screens.values()].flat().filter((line) => ACTS.test(line));
    expect(acting.slice(0, 20)).toEqual([]);
  });

  test('cannot say that somebody spoke, or that something is settled', () => {
    const linesOfScreen = (lines: readonly string[] = []) => lines.flatMap((line) => line.split('\n'));
    const heads = (lines: readonly string[] = []) => linesOfScreen(lines).filter((line) => /^[●✔]/.test(line)).length;
    for (const name of ['transcript', 'exportLog']) {
      const lines = screens.get(name);
      expect(heads(lines)).toBe(heads(plain.get(name)));
      expect(linesOfScreen(lines).filter((line) => !/^(?:[●✔│]| {2}|$)/.test(line))).toEqual([]);
    }
  });
});
