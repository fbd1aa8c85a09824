const MINE = 'handoff-agent-b.md';
const THEIRS = 'handoff-agent-a.md';

const REFUSED = 'ARTIFACT_NOT_ASSIGNED';
export const UNKNOWN = 'UNKNOWN_RECORD';
const INVALID = 'INVALID_INPUT';

/** Names that some file systems would resolve to agent_a's handoff. Parley must not resolve them. */
export const ALIASES: Readonly<Record<string, string>> = {
  'a folder above': `../${THEIRS}`,
  'this folder': `./${THEIRS}`,
  'a folder and back': `agent-b/../${THEIRS}`,
  'the own name and back': `${MINE}/../${THEIRS}`,
  'the root': `/${THEIRS}`,
  'an absolute path': `/var/lib/parley/${THEIRS}`,
  'a drive': `C:\\${THEIRS}`,
  'a share': `\\\\host\\${THEIRS}`,
  'an address of a file': `file:///${THEIRS}`,
  'a backslash': `..\\${THEIRS}`,
  'two slashes': `//${THEIRS}`,
  'a slash behind': `${THEIRS}/`,
  'a dot behind': `${THEIRS}.`,
  'a space behind': `${THEIRS} `,
  'a space before': ` ${THEIRS}`,
  'a line end behind': `${THEIRS}\n`,
  'a tab before': `\t${THEIRS}`,
  'a stream of it': `${THEIRS}::$DATA`,
  'upper case': THEIRS.toUpperCase(),
  'an upper-case A': 'handoff-agent-A.md',
  'one escape': '%68andoff-agent-a.md',
  'an escape of the slash': `..%2f${THEIRS}`,
  'an escape of an escape': `%252e%252e%252f${THEIRS}`,
  'an escaped NUL': `${THEIRS}%00`,
  'a space for a hyphen': 'handoff agent-a.md',
  'a plus for a hyphen': 'handoff+agent-a.md',
  'a Cyrillic а': 'handoff-agent-\u0430.md',
  'a fullwidth ａ': 'handoff-agent-\uff41.md',
  'fullwidth altogether': Array.from(THEIRS, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join(''),
  'a mathematical 𝐚': 'handoff-agent-\u{1d41a}.md',
  'another hyphen': 'handoff\u2010agent\u2010a.md',
  'a combining accent behind': 'handoff-agent-a\u0301.md',
  'a composed accent': 'handoff-agent-\u00e1.md',
  'a ligature for ff': 'hando\ufb00-agent-a.md',
  'a zero-width space': 'handoff-agent-\u200ba.md',
  'a zero-width joiner': `${THEIRS}\u200d`,
  'a soft hyphen': 'hand\u00adoff-agent-a.md',
  'a byte order mark': `\ufeff${THEIRS}`,
  'written from right to left': `\u202e${[...THEIRS].reverse().join('')}`,
  'an overlong letter as Latin-1': '\u00c1\u00a8andoff-agent-a.md',
  'a replacement character': '\ufffdandoff-agent-a.md',
  'JSON of it': JSON.stringify(THEIRS),
  'JSON of a list of it': JSON.stringify([THEIRS]),
  'JSON of an object': JSON.stringify({ filename: THEIRS }),
  'both names': `${MINE},${THEIRS}`,
  'both names in lines': `${MINE}\n${THEIRS}`,
  'a pattern': 'handoff-agent-?.md',
  'a pattern of all': '*',
  'a pattern of SQL': 'handoff-agent-_.md',
  'a condition of SQL': `' or filename = '${THEIRS}`,
  'a name of JavaScript': '__proto__',
  'another name of JavaScript': 'constructor',
  'a number': '4',
  'the manifest': 'm_1',
  'a query behind': `${THEIRS}?x=1`,
  'a fragment behind': `${THEIRS}#x`,
  'a parameter behind': `${THEIRS};v=1`,
  nothing: '',
  'a thousand folders above': `${'../../'.repeat(1_000)}${THEIRS}`,
};

/** Queries of `GET artifacts/fetch`, each with the code that agent_b must get. */
export const QUERIES: Readonly<Record<string, readonly [query: string, code: string]>> = {
  'the name': [`filename=${THEIRS}`, REFUSED],
  'the name in escapes': [`filename=${escaped(THEIRS)}`, REFUSED],
  'the parameter in escapes': [`${escaped('filename')}=${THEIRS}`, REFUSED],
  'the name in escapes of escapes': [`filename=${escaped(escaped(THEIRS))}`, UNKNOWN],
  'a raw slash': [`filename=../${THEIRS}`, UNKNOWN],
  'escaped slashes': [`filename=..%2F${THEIRS}`, UNKNOWN],
  'twice escaped slashes': [`filename=..%252F${THEIRS}`, UNKNOWN],
  'a plus behind, which is a space': [`filename=${THEIRS}+`, UNKNOWN],
  'an escaped space behind': [`filename=${THEIRS}%20`, UNKNOWN],
  'an escaped NUL behind': [`filename=${THEIRS}%00`, UNKNOWN],
  'a NUL between the names': [`filename=${MINE}%00${THEIRS}`, UNKNOWN],
  'an overlong h of two bytes': ['filename=%c1%a8andoff-agent-a.md', UNKNOWN],
  'an overlong h of three bytes': ['filename=%e0%81%a8andoff-agent-a.md', UNKNOWN],
  'an overlong slash': [`filename=..%c0%af${THEIRS}`, UNKNOWN],
  'half an escape': [`filename=${THEIRS}%`, UNKNOWN],
  'an escape of no digits': [`filename=%zz${THEIRS}`, UNKNOWN],
  'UTF-16 in escapes': ['filename=%u0068andoff-agent-a.md', UNKNOWN],
  'a surrogate in escapes': [`filename=%ed%a0%80${THEIRS}`, UNKNOWN],
  'a backslash': [`filename=..%5C${THEIRS}`, UNKNOWN],
  'nothing behind': [`filename=${MINE}&filename=${THEIRS}`, INVALID],
  'nothing before': [`filename=${THEIRS}&filename=${MINE}`, INVALID],
  'the parameter twice, once in escapes': [`filename=${MINE}&file%6eame=${THEIRS}`, INVALID],
  'a list of PHP': [`filename[]=${THEIRS}`, INVALID],
  'a list of PHP beside the own name': [`filename=${MINE}&filename[1]=${THEIRS}`, INVALID],
  'an object of PHP': [`filename[name]=${THEIRS}`, INVALID],
  'another case of the parameter': [`Filename=${THEIRS}`, INVALID],
  'a parameter too many': [`filename=${MINE}&path=${THEIRS}`, INVALID],
  'a role': [`filename=${MINE}&role=agent_a`, INVALID],
  'a semicolon for an ampersand': [`filename=${MINE};filename=${THEIRS}`, UNKNOWN],
  'no parameter': ['', INVALID],
  'no name': ['filename', UNKNOWN],
  'the name alone': [THEIRS, INVALID],
};

/**
 * Values of `filename`: the name of agent_a's file, and values that are not texts. Each has the code that agent_b must
 * get over MCP.
 */
export const VALUES: readonly (readonly [value: unknown, code: string])[] = [
  [THEIRS, REFUSED],
  [[THEIRS], INVALID],
  [[MINE, THEIRS], INVALID],
  [{ filename: THEIRS }, INVALID],
  [{ toString: THEIRS }, INVALID],
  [null, INVALID],
  [0, INVALID],
  [true, INVALID],
];

function escaped(text: string): string {
  return Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');
}
