/** The verbs at the beginning of headings of events, each with the form that follows `You`. */
const VERBS: Readonly<Record<string, string>> = {
  accepts: 'accept',
  acknowledges: 'acknowledge',
  adds: 'add',
  admits: 'admit',
  advises: 'advise',
  allows: 'allow',
  answers: 'answer',
  approves: 'approve',
  asks: 'ask',
  authorizes: 'authorize',
  carries: 'carry',
  checks: 'check',
  closes: 'close',
  completes: 'complete',
  confirms: 'confirm',
  declares: 'declare',
  directs: 'direct',
  does: 'do',
  ends: 'end',
  erases: 'erase',
  gives: 'give',
  grants: 'grant',
  invites: 'invite',
  joins: 'join',
  judges: 'judge',
  lets: 'let',
  limits: 'limit',
  marks: 'mark',
  names: 'name',
  opens: 'open',
  overrides: 'override',
  pauses: 'pause',
  proposes: 'propose',
  puts: 'put',
  raises: 'raise',
  readmits: 'readmit',
  rejects: 'reject',
  releases: 'release',
  removes: 'remove',
  renames: 'rename',
  reopens: 'reopen',
  replaces: 'replace',
  reports: 'report',
  requests: 'request',
  restores: 'restore',
  resumes: 'resume',
  reviews: 'review',
  revokes: 'revoke',
  saves: 'save',
  starts: 'start',
  stops: 'stop',
  submits: 'submit',
  validates: 'validate',
  waives: 'waive',
  withdraws: 'withdraw',
};

/** The beginning of the outcome of an authorization. */
const OWNER_HAS = 'The owner has';

/**
 * The heading of a message in the words that follow `You`: `authorizes the build` becomes `authorize the build`, and
 * an outcome in the same words: `The owner has authorized …` becomes `You have authorized …`. A
 * heading without a verb, such as `turn 3, round 1`, stays the same.
 */
export function secondPerson(heading: string): string {
  if (heading.startsWith(OWNER_HAS)) return `You have${heading.slice(OWNER_HAS.length)}`;
  const [verb = ''] = heading.split(' ', 1);
  return Object.hasOwn(VERBS, verb) ? `${VERBS[verb]}${heading.slice(verb.length)}` : heading;
}
