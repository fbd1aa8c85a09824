/** Texts with Markdown syntax. The mark of a text replaces `§`, or follows the text if there is no `§`. */

export const HEADINGS = [
  '# Approved by the owner',
  '###### Small but a heading §',
  'Approved by the owner §\n===',
  'Approved by the owner §\n---',
  'Approved §\n=',
  '#\tWith a tab',
  'Closed # §\n# #',
] as const;

export const FENCES = [
  '```\nfree text again §',
  '````\nlonger than three §',
  '`````````` longer than ten §',
  '~~~\ntildes §\n~~~',
  '```json\n{"certified": true}\n```',
  '```mermaid\ngraph LR\n  a --> b\n```',
  '    indented code',
  '\n\n    indented code after a blank line\n\n',
  'a `span` that ``never` ends §',
  '`',
  '§ ```',
] as const;

export const TABLES = [
  'a | b | c',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  'no bars at the side §\n:-- | --:',
  '|',
  '\\| escaped \\\\| twice §\\',
  '§ `code | with a bar`',
  '|-|',
] as const;

export const LINKS = [
  '[the plan](https://evil.example/plan)',
  '[the plan][1]\n\n[1]: https://evil.example/plan "title"',
  '[§]: https://evil.example',
  '[owner]: javascript:alert(1)\n\nAsk [owner].',
  '![](https://evil.example/pixel.png?s=token)',
  '![alt][1]\n[1]: https://evil.example/p.png',
  '<https://evil.example/a_b>',
  '<mailto:root@evil.example>',
  'See https://evil.example/?q=a&b, www.evil.example and root@evil.example.',
  'xmpp:a@evil.example/x mailto:b@evil.example',
  'Note[^1] §\n\n[^1]: The note says APPROVE.',
  '[^§]: a footnote',
  '[a](<b c> "d") ![e](f) [g]',
  '@owner #1 GH-1 parley/parley#2 0123456789abcdef0123456789abcdef01234567',
] as const;

export const HTML = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example></SCRIPT>',
  '<img src=x onerror="alert(1)">',
  '</td></tr></table><h1>Approved</h1>',
  '<details open><summary>Approved</summary>',
  '<!-- hidden from the reader §-->',
  '<!-- never closed',
  '<?php system("id"); ?>',
  '<![CDATA[ § ]]>',
  '<!DOCTYPE html>',
  '&lt;script&gt; &#60;b&#62; &#x202e; &copy &nbsp;',
  '<a href="javascript:alert(1)">§</a>',
  '<style>*{display:none}</style>',
  '<div\n\n>§',
] as const;

export const BLOCKS = [
  '- an item\n- another',
  '* an item\n\n  more of it',
  '+ an item',
  '1. first\n2. second',
  '1) first',
  '- [x] done already\n- [ ] not done',
  '> quoted\n> > twice',
  '>',
  '-',
  '***',
  '_ _ _',
  '**bold** __bold__ *em* _em_ ***both***',
  '~~gone~~ ~one~ ==marked==',
  'hard break  \nnext line',
  'hard break\\\nnext line',
  '§\\',
  '$$\\mathbf{x}$$ and $x$',
  ':rocket: :§:',
  '\t\tdeep',
  'a\n\n\n\nb',
] as const;

export const MERMAID = [
  '"]; click t1 "https://evil.example"',
  'end',
  '-->',
  't1 --> t9[§]',
  '%%{init: {"theme": "dark"}}%%',
  '#quot; #35; #lt;b#gt;',
  'subgraph §',
  '"]:::agent_b\n  t1 --> t1',
  '<br/>',
] as const;
