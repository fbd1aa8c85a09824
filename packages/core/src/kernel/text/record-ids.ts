/** For each prefix of an id: the type of record that has such ids. Reviews of the moderator have no ids. */
export const ID_TYPES = {
  d: 'decision',
  q: 'question',
  f: 'finding',
  i: 'intervention',
  act: 'action',
  r: 'revision',
  h: 'hold',
  rec: 'recommendation',
  def: 'defect',
  fu: 'followup',
} as const;

/** The types of records that have ids. */
export type IdRecordType = (typeof ID_TYPES)[keyof typeof ID_TYPES];

const TYPE_OF_PREFIX = new Map<string, IdRecordType>(Object.entries(ID_TYPES));

/** The type of the record with an id such as `d_12`, `q_7` or `def_1`. Undefined if no record has such ids. */
export const recordTypeOf = (id: string): IdRecordType | undefined =>
  TYPE_OF_PREFIX.get(/^([a-z]+)_[1-9]\d{0,8}$/.exec(id)?.[1] ?? '');
