import { describe, expect, test } from 'vitest';
import { createMessagePrinter } from '../../../src/cli/print/message-printer.ts';
import { createPaint, ruleOf, UNLIMITED, wantsColours } from '../../../src/text/page.ts';
import { outlineLines, tableLines, textWidth, wrapText } from '../../../src/text/table.ts';
import { visible } from '../../../src/text/visible.ts';
import { messageBy } from '../../transcript/samples.ts';

const isClean = (lines: readonly string[]): boolean =>
  !['\u001b', '\u202e'].some((letter) => lines.join('\n').includes(letter));

const page = { columns: 40, paint: createPaint(false) };

describe('text of agents', () => {
  test.each([
    ['\u001b[2J\u001b]0;owned\u0007', '\\u{1b}[2J\\u{1b}]0;owned\\u{7}'],
    ['a\rb\bc\u007f', 'a\\u{d}b\\u{8}c\\u{7f}'],
    ['\u009b31m', '\\u{9b}31m'],
    ['abc\u202edcba\u2066x', 'abc\\u{202e}dcba\\u{2066}x'],
    ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['lone \ud800 surrogate', 'lone \\u{d800} surrogate'],
    [
      'fillers \u115f\u3164\u034f, signs \ufe00\u{e0100}',
      'fillers \\u{115f}\\u{3164}\\u{34f}, signs \\u{fe00}\\u{e0100}',
    ],
    [
      'private \ue000, no character \uffff, music \u{1d173}',
      'private \\u{e000}, no character \\u{ffff}, music \\u{1d173}',
    ],
    ['line\nand\ttab, ünïcödé, 漢字', 'line\nand\ttab, ünïcödé, 漢字'],
    ['emoji 👩\u200d🚀 ⚠\ufe0f and Persian نمی\u200cخواهم', 'emoji 👩\u200d🚀 ⚠\ufe0f and Persian نمی\u200cخواهم'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("cannot begin a line like the printer's own lines: names, topics and outcomes are wrapped too", () => {
    const forged = `x\n● owner  approves r_1${' '.repeat(40)}● owner  approves r_1`;
    const printer = createMessagePrinter(page, { agent_a: { name: forged } });
    const said = [
      messageBy('agent_a', 'decision.proposed', { topic: forged }),
      messageBy('agent_a', 'turn.posted', { interfaces: [{ name: forged, description: 'y' }] }),
      messageBy('agent_a', 'decision.accepted'),
      messageBy('agent_b', 'decision.accepted'),
    ];
    const lines = [
      ...said.flatMap(printer.lines),
      ...outlineLines({ [forged]: 1, list: [{ [forged]: forged }] }, page),
      ...tableLines({ heads: ['a'], rows: [[forged]], flexible: 0 }, page),
    ];
    expect(lines.filter((line) => line.includes('\n') || textWidth(line) > page.columns + 10)).toEqual([]);
    expect(lines.filter((line) => /^[●✔]/.test(line))).toEqual([
      '● x ● owner  approves r_1',
      '● x ● owner  approves r_1',
      '● x ● owner  approves r_1',
      '● agent_b  accepts d_1 x ● owner',
      '✔ d_1 x ● owner  approves r_1',
    ]);
  });

  test('is printed safely from every member of a message', () => {
    const evil = 'x\u001b[31my\u202e';
    const printer = createMessagePrinter(page, { agent_a: { name: evil } });
    const turn = {
      summary: evil,
      answers: [{ question_id: evil, answer: evil }],
      verified_facts: [{ claim: evil, evidence: [{ kind: evil, reference: evil, excerpt: evil }] }],
      proposed_decisions: [{ decision_id: evil, topic: evil, position: evil }],
      interfaces: [{ name: evil, kind: evil, description: evil }],
      questions: [{ question_id: evil, text: evil, to: 'owner' as const, blocking: false }],
      concerns: [evil],
      next_step: evil,
    };
    const lines = [
      messageBy('agent_a', 'turn.posted', turn, { at: evil }),
      messageBy('agent_a', 'decision.accepted', { decision_id: evil }, { at: evil }),
      messageBy('agent_a', 'intervention.opened', { intervention_id: evil, text: evil }, { at: evil }),
      { ...messageBy('agent_a', 'session.started'), kind: evil, body: { [evil]: evil } } as never,
    ].flatMap(printer.lines);
    expect(isClean(lines)).toBe(true);
    expect(isClean(outlineLines({ [evil]: { [evil]: evil, list: [evil], table: [{ [evil]: evil }] } }, page))).toBe(
      true,
    );
  });
});

describe('lines', () => {
  test('wrap at words, keep line breaks and cut what is longer than a line', () => {
    expect(wrapText('one two three\n\n  four', 10)).toEqual(['one two', 'three', '', '  four']);
    expect(wrapText('abcdefghijklmnop', 10)).toEqual(['abcdefghij', 'klmnop']);
    expect(wrapText('code pinv_abcdefghijklmnop', 10, 'keep')).toEqual(['code', 'pinv_abcdefghijklmnop']);
  });

  test('keeps every character of a long word, also where the word is segmented in pieces', () => {
    const word = `a${'😀'.repeat(1_500)}e\u0301${'b'.repeat(1_200)}`;
    const lines = wrapText(word, 80);
    expect(lines.join('')).toBe(word);
    expect(lines.filter((line) => textWidth(line) > 80 || /[\ud800-\udbff]$/.test(line))).toEqual([]);
  });

  test.each([
    ['ASCII', 'plan a', 6],
    ['Han', '漢字', 4],
    ['Tangut', '\u{17000}\u{18d00}', 4],
    ['a run of Hangul initials, which is one grapheme', '\u1100'.repeat(20), 40],
    ['a Hangul syllable in three parts', '\u1112\u1161\u11ab', 4],
    ['a letter and its accent', 'e\u0301', 1],
    ['Devanagari with a virama and a spacing vowel', '\u0915\u094d\u0937\u093f', 3],
    ['Thai with vowels above', '\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35', 4],
    ['half-width katakana with its voicing mark', '\uff76\uff9e', 2],
    ['full-width Latin', '\uff21\uff22', 4],
    ['hexagrams, which Unicode 16 made wide', '\u4dc0\u{1d300}', 4],
    ['a number in a black square', '\u3248', 2],
    ['unassigned places of the planes 2 and 3', '\u{2fff0}\u{3fff0}', 4],
    ['unassigned places elsewhere', '\u2fe0\u0378', 4],
    ['marks that are newer than the tables of many terminals', 'e\u1acf\u{10efa}', 3],
    ['an emoji and its skin colour', '👍🏽', 4],
    ['a flag', '🇩🇪', 4],
    ['a family of four', '👨\u200d👩\u200d👧\u200d👦', 8],
    ['a sign shown as an emoji', '⚠\ufe0f', 2],
    ['a sign shown as text', '⚠\ufe0e', 1],
    ['a keycap', '1\ufe0f\u20e3', 2],
    ['Persian with a non-joiner', 'نمی\u200cخواهم', 8],
    ['Cyrillic and lines, narrow but in terminals set otherwise', 'да │', 4],
  ])('count what a terminal uses at most: %s', (_name, text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });

  test('cut between graphemes, and within a grapheme that is longer than a line', () => {
    expect(wrapText('漢字漢字漢字', 10)).toEqual(['漢字漢字漢', '字']);
    expect(wrapText('👍🏽👍🏽👍🏽', 10)).toEqual(['👍🏽👍🏽', '👍🏽']);
    expect(wrapText('\u1100'.repeat(12), 10)).toEqual([
      '\u1100\u1100\u1100\u1100\u1100',
      '\u1100\u1100\u1100\u1100\u1100',
      '\u1100\u1100',
    ]);
  });

  test.each([
    ['Tangut', '\u{17000}'],
    ['Hangul initials', '\u1100'],
  ])('keep their bar when a text of an agent fills the row with %s', (_name, wide) => {
    const printer = createMessagePrinter(page);
    const summary = `${wide.repeat(19)}● owner  approves r_1`;
    const lines = printer.lines(messageBy('agent_a', 'turn.posted', { summary }));
    expect(lines.slice(2)).toEqual([`│ ${wide.repeat(19)}`, '│ ● owner  approves r_1']);
  });

  test('of a table fit into the terminal even if a cell contains wide letters', () => {
    const rows = [['q_1', 'Agent A', `${'\u{17000}'.repeat(13)}q_2  Agent B  STOP`]];
    expect(tableLines({ heads: ['id', 'from', 'text'], rows, flexible: 2 }, { ...page, columns: 40 })).toEqual([
      'id   from     text',
      `q_1  Agent A  ${'\u{17000}'.repeat(13)}`,
      '              q_2  Agent B  STOP',
    ]);
  });

  test('of a table wrap the flexible text within the terminal, and lose nothing of it', () => {
    const table = {
      heads: ['id', 'text'],
      rows: [['d_1', 'a long text that does not fit in here at all']],
      flexible: 1,
    };
    expect(tableLines(table, { ...page, columns: 30 })).toEqual([
      'id   text',
      'd_1  a long text that does not',
      '     fit in here at all',
    ]);
    expect(
      tableLines(
        { ...table, heads: ['text'], rows: [['one two three four five six']], flexible: 0 },
        { ...page, columns: 22 },
      ),
    ).toEqual(['text', 'one two three four', '  five six']);
  });

  test('of a table have the flexible text below the row where its column would be too narrow', () => {
    const table = {
      heads: ['session', 'who', 'text'],
      rows: [['LEvIfXlqZFp2CD1yL6KEww', 'Ann', 'a text that is long, and longer than a line']],
      flexible: 2,
    };
    expect(tableLines(table, { ...page, columns: 40 })).toEqual([
      'session                 who',
      '  text',
      'LEvIfXlqZFp2CD1yL6KEww  Ann',
      '  a text that is long, and longer than a',
      '  line',
    ]);
    expect(tableLines(table, { ...page, columns: 24 })).toEqual([
      'session',
      '  LEvIfXlqZFp2CD1yL6KEww',
      '  who      Ann',
      '  text     a text that',
      '    is long, and longer',
      '    than a line',
    ]);
  });

  test('of a table shorten titles to the width of the terminal, measured in columns', () => {
    const table = {
      heads: ['id', 'title'],
      rows: [
        ['d_1', 'Book each capture once'],
        ['d_2', '日本語日本語日本語'],
      ],
      flexible: 1,
    };
    const shown = (columns: number) => tableLines({ ...table, isShortened: true }, { ...page, columns });
    expect(shown(27)).toEqual(['id   title', 'd_1  Book each capture once', 'd_2  日本語日本語日本語']);
    expect(shown(20)).toEqual(['id   title', 'd_1  Book each capt…', 'd_2  日本語日本語日…']);
    expect(shown(14)).toEqual(['id   title', 'd_1  Book eac…', 'd_2  日本語日…']);
  });

  test('of a table shorten two columns to equal widths', () => {
    const table = {
      heads: ['id', 'next', 'title'],
      rows: [
        ['d_1', 'agent_a: post its turn', 'Book each capture once'],
        ['d_2', 'you', 'Void'],
      ],
      flexible: 2,
    };
    const shown = (columns: number) =>
      tableLines({ ...table, isShortened: true, alsoShortened: 1 }, { ...page, columns });
    expect(shown(40)).toEqual([
      'id   next               title',
      'd_1  agent_a: post it…  Book each captu…',
      'd_2  you                Void',
    ]);
    expect(shown(25)[1]).toBe('d_1  agent_a:…  Book eac…');
  });

  test('of a file or a pipe are as long as their texts', () => {
    const piped = { ...page, columns: UNLIMITED };
    const long = 'word '.repeat(200).trim();
    expect(
      tableLines({ heads: ['id', 'text'], rows: [['d_1', long]], flexible: 1 }, { ...page, columns: piped.columns }),
    ).toEqual(['id   text', `d_1  ${long}`]);
    expect(outlineLines({ reason: long, list: [{ text: long, id: 'q_1' }] }, piped)).toEqual([
      `reason  ${long}`,
      'list',
      '  id   text',
      `  q_1  ${long}`,
    ]);
    const printer = createMessagePrinter(piped, { agent_a: { name: 'Ann' } });
    const lines = printer.lines(messageBy('agent_a', 'turn.posted', { summary: long, concerns: [long] }));
    expect(lines).toEqual(['', '● Ann (agent_a)  turn 1, round 1', `│ ${long}`, '│', `│ objects      ${long}`]);
    expect(ruleOf(piped)).toBe('─'.repeat(80));
  });

  test('are coloured for terminals, unless NO_COLOR is set', () => {
    expect(wantsColours({}, true)).toBe(true);
    expect(wantsColours({}, false)).toBe(false);
    expect(wantsColours({ NO_COLOR: '1' }, true)).toBe(false);
    expect(wantsColours({ FORCE_COLOR: '1' }, false)).toBe(true);
    expect(wantsColours({ TERM: 'dumb' }, true)).toBe(false);
    expect(createPaint(true)('red', 'x')).toBe('\u001b[31mx\u001b[39m');
  });
});

describe('a conversation', () => {
  test('has one head for each message, with its text below', () => {
    const printer = createMessagePrinter(page, { agent_a: { name: 'Ann' }, agent_b: { name: 'Ben' } });
    const lines = [
      messageBy('agent_a', 'turn.posted', {
        summary: 'We need a key.',
        proposed_decisions: [{ decision_id: 'd_1', topic: 'Key', position: 'One for each capture.' }],
        questions: [{ question_id: 'q_1', to: 'agent_b', text: 'How long is it kept?', blocking: false }],
      }),
      messageBy('agent_b', 'question.answered', { answer: 'For good.' }),
      messageBy('agent_a', 'decision.accepted'),
      messageBy('agent_b', 'decision.accepted'),
      messageBy('agent_b', 'question.answered', { question_id: 'q_9', answer: 'said in a turn', in_turn: true }),
      messageBy('agent_a', 'turn.posted', {
        turn_index: 2,
        round: 2,
        summary: 'Fine.',
        answers: [
          { decision_id: 'd_1', decision: 'ACCEPT' },
          { decision_id: 'd_3', decision: 'REJECT', reason: 'Too slow.' },
        ],
      }),
      messageBy('agent_a', 'decision.accepted', { decision_id: 'd_2', in_turn: true }),
      messageBy('agent_b', 'decision.accepted', { decision_id: 'd_2', in_turn: true }),
    ].flatMap(printer.lines);
    expect(lines).toEqual([
      '',
      '● Ann (agent_a)  turn 1, round 1',
      '│ We need a key.',
      '│',
      '│ proposes     d_1 Key',
      '│              One for each capture.',
      '│ asks         q_1  How long is it kept?',
      '',
      '● Ben (agent_b)  answers q_1',
      '│ question     How long is it kept?',
      '│ answer       For good.',
      '',
      '● Ann (agent_a)  accepts d_1 Key',
      '● Ben (agent_b)  accepts d_1 Key',
      '✔ d_1 Key is resolved: both agents',
      '  accepted it',
      '',
      '● Ann (agent_a)  turn 3, round 2',
      '│ Fine.',
      '│',
      '│ accepts      d_1 Key',
      '│ rejects      d_3  Too slow.',
      '',
      '✔ d_2 is resolved: both agents accepted',
      '  it',
    ]);
  });

  test('shows the members of a message of unknown kind', () => {
    const printer = createMessagePrinter(page);
    expect(printer.lines({ id: 1, at: '', from: 'agent_b', kind: 'moon.landed', body: { crew: 3 } } as never)).toEqual([
      '',
      '● agent_b  moon.landed',
      '│ crew: 3',
    ]);
  });
});

describe('the time of a message', () => {
  const said = (columns: number): string[] =>
    createMessagePrinter({ columns, paint: createPaint(false) }, { agent_a: { name: 'Ann' } }).lines({
      id: 1,
      at: '2026-11-27T20:40:04.120Z',
      from: 'agent_a',
      kind: 'question.answered',
      body: { question_id: 'q_1', answer: 'For good.' },
    });

  test('is at the right edge, with its date and zone', () => {
    expect(said(60)).toEqual(['', '● Ann (agent_a)  answers q_1            2026-11-27 20:40 UTC', '│ For good.']);
    expect(said(UNLIMITED)[1]).toBe('● Ann (agent_a)  answers q_1  2026-11-27 20:40 UTC');
  });

  test('is below the head if there is no room beside it', () => {
    expect(said(40)).toEqual(['', '● Ann (agent_a)  answers q_1', '│ 2026-11-27 20:40 UTC', '│ For good.']);
  });
});
