const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z\b/g, '<time>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/\bprt_[0-9A-Za-z]+/g, '<token>'],
  [/\bpinv_[0-9A-Za-z]+/g, '<code>'],
];

/** Replaces what differs between two runs by fixed values: times, hashes, secrets and session ids. */
export function normalised<T>(value: T, sessionId: string): T {
  let text = JSON.stringify(value).replaceAll(sessionId, '<session>');
  for (const [pattern, name] of REPLACED) text = text.replace(pattern, name);
  return JSON.parse(text);
}
