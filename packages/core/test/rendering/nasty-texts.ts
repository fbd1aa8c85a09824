import fc from 'fast-check';

/** Texts that would change the structure of a document if they were not escaped. */
export const ATTACKS = [
  '# A heading\n## Another\n---\n===',
  '</td></tr></table><script>alert(1)</script>',
  '![pixel](https://evil.example/p.png) and [click](javascript:alert(1)) <https://evil.example>',
  'x | y | z |\n| --- | --- |\n| 1 | 2 |',
  '```\n~~~\n````` end of block\n```mermaid',
  '"]; click t1 "https://evil.example" %%{init: {"theme":"dark"}}%% #quot; --> t9',
  'admin\u202egnp.exe \u200bzero\u200dwidth \u0007bell \u{e0041}tag',
  '- [x] done already\n- [ ] 1. nested\n    indented code\n> quoted\n\n[evil]: https://evil.example "t"\n[^1]: note',
  '<!-- a comment --> &lt;b&gt; &#60;i&#62; <b onclick=x>bold</b> \\<u>',
  '**bold** __strong__ *em* _em_ ~~gone~~ `code` ``two`` `open',
  'Ask @everyone, write to root@evil.example, see www.evil.example or HTTPS://EVIL.EXAMPLE/a|b.',
  'C:\\temp\\|new\\',
  '$$\\mathbf{x}$$ and $x$ and $HOME',
  'line one\r\nline two\u2028line three\u0085line four\fline five',
];

const PIECES = [
  ...ATTACKS,
  ...'` `` ``` ~ ~~ ~~~ | || \\ \\\\ * ** _ __ [ ] ( ) ![ ]( ][ < </ <! <? > & ; # ## + - -- --- = === . : :// @ $ $$ " \' % { } !'.split(
    ' ',
  ),
  ...['\n', '\n\n', '\r\n', '\t', ' ', '    ', '\u00a0', '\u2028', '\u0085', '\ufeff', '\u200b', '\u202e', '\u0000'],
  ...[
    'a',
    '1',
    'é',
    '漢',
    '😀',
    '👩‍🚀',
    'a@b.co',
    'www.',
    'http:',
    '//x.yz',
    'mailto:',
    '&amp;',
    '&#35;',
    '&copy',
    '<b>',
    '-->',
  ],
  ...[
    '- ',
    '+ ',
    '* ',
    '> ',
    '1. ',
    '1)',
    '[ ] ',
    '[x] ',
    '[a]: b',
    '[^1]',
    '[^1]: ',
    '|-|',
    ':--',
    '--:',
    '|---|---|',
    ' #',
  ],
];

/** Generates texts with the syntax of Markdown, HTML and Mermaid, and texts of any characters. No text is blank. */
export const nastyText: fc.Arbitrary<string> = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((all) => all.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }) },
  )
  .filter((text) => /\S/.test(text));

/** Replaces every character except white space by `x`. */
export const harmless = (text: string): string => text.replaceAll(/\S/g, 'x');
