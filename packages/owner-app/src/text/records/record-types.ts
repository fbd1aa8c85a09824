/** For each prefix of an id: the type of record that has such ids. */
const TYPES = {
  d: 'decision',
  q: 'question',
  i: 'intervention',
  act: 'action',
  r: 'revision',
  f: 'finding',
  h: 'hold',
  rec: 'recommendation',
  def: 'defect',
  fu: 'followup',
} as const;

export type RecordType = (typeof TYPES)[keyof typeof TYPES];

const TYPE_OF_PREFIX = new Map<string, RecordType>(Object.entries(TYPES));

/** The type of the record with an id such as `d_12`, `q_7` or `def_1`. Undefined if no record has such ids. */
export const recordTypeOf = (id: string): RecordType | undefined =>
  TYPE_OF_PREFIX.get(/^([a-z]+)_[1-9]\d{0,8}$/.exec(id)?.[1] ?? '');
