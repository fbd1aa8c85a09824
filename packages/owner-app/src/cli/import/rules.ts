/** What a section is, by its heading. The first row that matches counts. */
export type Meaning = (typeof MEANINGS)[number][0];

const anyOf = (...words: readonly string[]): RegExp => new RegExp(`^(?:${words.join('|')})`, 'iu');

/** Requirements of Kiro in the languages in which it writes them, with their number. */
const NUMBERED = '(?:requirement|requisito|anforderung|exigence|требование|需求|要件|要求|요구\\s?사항)\\s*\\d+';

const MEANINGS = [
  ['scenario', anyOf('scenario\\s*(?::|\\d)', 'scenario outline')],
  [
    'criteria',
    anyOf(
      ...[
        '(?:pass|exit) criteria',
        'acceptance (?:criteria|scenarios?|tests?|checklist)',
        'definition of done',
        'done when',
        'dod\\b',
      ],
      ...[
        'success criteria',
        'critères d.acceptation',
        'criterios de aceptación',
        'critérios de aceita',
        'akzeptanzkriterien',
      ],
      ...['критерии при', '验收标准', '驗收標準', '验收准则', '受け?入れ?基準', '수용 기준', '인수 기준'],
    ),
  ],
  ['requirement', anyOf('requirement\\s*:', NUMBERED, 'user (?:story|journey) (?:us-?)?\\d', 'us-?\\d')],
  [
    'guardrail',
    anyOf(
      ...['non-?\\s?goals?', 'out[- ]of[- ]scope', 'not in scope', '(?:what )?must not', 'guardrails?', 'prohibited'],
      '(?:[\\p{L}-]+ )?constraints?(?! check)',
    ),
  ],
  [
    'other',
    anyOf(
      ...[
        '(?:key |data )?entit',
        'assumption',
        'edge cases?',
        'clarification',
        'open questions?',
        '(?:\\p{L}+ )?dependenc',
      ],
      ...[
        'glossary',
        'definitions',
        '(?:\\p{L}+ )?checklist',
        'review',
        'execution',
        'notes?$',
        'references?$',
        'links?$',
      ],
      ...['environment', 'steps to reproduce', 'logs?$', 'screenshots?', 'additional (?:context|info)', 'alternatives'],
      ...[
        'risks?',
        'impact$',
        'capabilities$',
        'decisions?$',
        'test(?:ing| plan)',
        'quick guidelines',
        'section requirements',
      ],
      ...[
        'for ai generation',
        'related',
        'document conventions',
        'pre-?requisites',
        'why this priority',
        'priority$',
        'type$',
      ],
      ...[
        'status$',
        'estimate',
        'constitution',
        'revision history',
        'changelog',
        'table of contents',
        'contents$',
        'appendix',
      ],
    ),
  ],
  ['story', anyOf('(?:primary )?user (?:story|journey)$', 'story$')],
  ['list', anyOf(...['(?:[\\p{L}/&-]+ ){0,3}requirements?$', 'user stories', 'measurable outcomes'])],
  [
    'work',
    anyOf(
      ...[
        'what changes',
        '(?:proposed |key )?changes$',
        '(?:\\p{L}+ )?tasks?$',
        'what should',
        'to-?\\s?do',
        'deliverables?$',
        'scope$',
        'in[- ]scope',
      ],
      ...[
        'features$',
        'needs?$',
        'what$',
        '(?:describe )?the solution',
        '(?:proposed |suggested )?solution',
        'proposal$',
      ],
      ...['expected behaviou?r', 'what to do', 'approach$', 'implementation$', 'acceptance$'],
    ),
  ],
] as const;

/** Labels below the first heading that describe the document itself. */
export const ABOUT_DOCUMENT =
  /^(?:feature branch|branch|created|date|updated|last updated|status|author|owner|version|priority|type|epic|labels?|assignees?)$/i;

/** Undefined for a heading that says nothing of what stands below it. */
export const meaningOf = (heading: string): Meaning | undefined =>
  MEANINGS.find(([, pattern]) => pattern.test(heading))?.[0];

/** Headings of what a specification is for, the best first. */
export const OBJECTIVES: readonly RegExp[] = [
  anyOf(
    'why(?! this priority)\\b',
    'objectives?$',
    'purpose$',
    'goals?$',
    'executive summary',
    'summary$',
    'overview$',
    'tl;?dr',
  ),
  anyOf(
    'problem',
    'motivation',
    'introduction$',
    'abstract',
    'is your feature request',
    '介紹|介绍|简介|はじめに|概要|소개|введение',
  ),
  anyOf('(?:feature )?description$', 'background$', 'context$', 'input$'),
  anyOf('(?:primary )?user (?:story|journey)$', 'story$'),
];

/** Words that the template of Spec Kit puts before what the user said. */
export const OBJECTIVE_PREFIX = /^user description:\s*/i;

/** Words before the name of a specification in its first heading, and first headings that are no name. */
export const TITLE_PREFIX =
  /^(?:feature specification|feature|specification|spec|change|proposal|requirements document|requirements)\s*[:–—-]\s*/i;
export const NO_TITLE =
  /^(?:requirements?|design|proposal|spec|specification|feature specification|change|tasks)(?: document)?$|^需求文[檔档]$|^要件定義書?$/i;

const ID_FORM = '[A-Z][A-Za-z]{0,15}(?:-[A-Za-z0-9]+)*-\\d+(?:\\.\\d+)*[a-z]?|[A-Z]{1,6}\\d+(?:\\.\\d+)*';
/** A text that begins with an id and a sign after it, such as `FR-001: …` or `[NFR-2] …`. */
export const WITH_ID = new RegExp(
  `^(?:\\[(${ID_FORM})\\]\\s*[:.)–—-]?|(${ID_FORM})(?:\\s*\\([^)]{1,40}\\))?\\s*[:.)–—-])\\s+(?=\\S)`,
);
/** A text that is an id alone. */
export const ID_ALONE = new RegExp(`^\\[?(${ID_FORM})\\]?[:.]?$`);
/** What stands before the name of a requirement in its heading. */
export const REQUIREMENT_PREFIX = new RegExp(`^(?:requirement\\s*:|${NUMBERED})\\s*[:：.–—-]?\\s*`, 'iu');
