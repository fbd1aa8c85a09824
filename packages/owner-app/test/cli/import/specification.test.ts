import { expect, test } from 'vitest';
import { type SourceKind, type SpecFile, takeFrom } from '../../../src/cli/import/specification.ts';

/** The letters of a text without the marks of Markdown and without white space. */
const letters = (text: string): string => text.replaceAll(/^\s*\d+[.)]\s|[\s*_~`>#\\|()[\]-]/gm, '');

/** Takes a session, and asserts that each piece of each text stands in one of the files, or is the name. */
function take(kind: SourceKind, texts: Readonly<Record<string, string>>, name?: string) {
  const files: SpecFile[] = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const { draft, left } = takeFrom({ kind, files, name });
  const source = letters([name ?? '', ...files.map(({ text }) => text)].join('\n'));
  const taken = [
    draft.title ?? '',
    draft.objective ?? '',
    ...(draft.guardrails ?? []),
    ...(draft.requirements ?? []).flatMap(({ text, acceptance_criteria = [] }) => [text, ...acceptance_criteria]),
  ];
  const invented = taken.flatMap((text) => text.split(/\n|: /)).filter((piece) => !source.includes(letters(piece)));
  expect(invented).toEqual([]);
  return { ...draft, left };
}

const SPEC_KIT = `# Feature Specification: Parcel Lockers

**Feature Branch**: \`004-parcel-lockers\`  
**Status**: Draft
**Input**: User description: "Let a buyer fetch a parcel from a locker."

## User Scenarios & Testing *(mandatory)*

<!-- ACTION REQUIRED: replace this text -->

### User Story 1 - Open a locker (Priority: P1)

A buyer opens the locker
with a **code**.

**Why this priority**: Nothing works without it.

**Independent Test**: Open one locker with \`code_1\`.

**Acceptance Scenarios**:

1. **Given** a code, **When** the buyer types it, **Then** the door opens.
2. **Given** a used code, **When** the buyer types it, **Then** the door stays shut.

### Edge Cases

- What if the power fails?

## Requirements *(mandatory)*

### Functional Requirements

#### Doors

- **FR-001**: The system MUST open one door at a time.
  - Also after a failure.
- **FR-002** The system MUST NOT show the code.

#### Codes

- Codes MUST expire.
- **FR-001**: The id of this one is taken.

### Key Entities

- **Locker**: A box with a door.

## Success Criteria *(mandatory)*

### Measurable Outcomes

- **SC-001**: A door opens within 2 seconds.

## Out of Scope

- Cold lockers.
`;

test('takes stories with their scenarios, requirements and outcomes of Spec Kit, and constraints of its plan', () => {
  const plan =
    '# Implementation Plan\n\n## Technical Context\n\n**Storage**: files\n**Constraints**: No network in the locker\n**Scale**: N/A\n\n## Constraints\n\n- No camera.\n';
  expect(take('spec-kit', { 'plan.md': plan, 'spec.md': SPEC_KIT }, '004-parcel-lockers')).toEqual({
    title: 'Parcel Lockers',
    objective: '"Let a buyer fetch a parcel from a locker."',
    guardrails: ['Constraints: No network in the locker', 'Constraints: No camera.', 'Out of Scope: Cold lockers.'],
    requirements: [
      {
        requirement_id: 'req-1',
        text: 'User Story 1 - Open a locker (Priority: P1)\nA buyer opens the locker with a code.\nIndependent Test: Open one locker with `code_1`.',
        acceptance_criteria: [
          'Given a code, When the buyer types it, Then the door opens.',
          'Given a used code, When the buyer types it, Then the door stays shut.',
        ],
      },
      { requirement_id: 'FR-001', text: 'The system MUST open one door at a time.\n- Also after a failure.' },
      { requirement_id: 'FR-002', text: 'The system MUST NOT show the code.' },
      { requirement_id: 'req-2', text: 'Codes MUST expire.' },
      { requirement_id: 'req-3', text: 'The id of this one is taken.' },
      { requirement_id: 'SC-001', text: 'A door opens within 2 seconds.' },
    ],
    left: ['plan.md: all but "Constraints"', 'spec.md: "Why this priority", "Edge Cases", "Key Entities"'],
  });
});

test('takes the scenarios of a story in the section beside it', () => {
  const text = `# Feature Specification: Bells

### Primary User Story
As a guest, I want to ring, so that somebody comes.

### Acceptance Scenarios
1. **Given** a bell, **When** I ring, **Then** it sounds.

## Requirements
### Functional Requirements
- **FR-001**: The bell MUST be loud.
`;
  expect(take('spec-kit', { 'spec.md': text })).toMatchObject({
    objective: 'As a guest, I want to ring, so that somebody comes.',
    requirements: [
      {
        requirement_id: 'req-1',
        text: 'As a guest, I want to ring, so that somebody comes.',
        acceptance_criteria: ['Given a bell, When I ring, Then it sounds.'],
      },
      { requirement_id: 'FR-001', text: 'The bell MUST be loud.' },
    ],
  });
});

test('takes the requirements of the deltas of OpenSpec, and says which are removed or renamed', () => {
  const delta = `## ADDED Requirements

### Requirement: Retry of a print job
The printer SHALL try a job again.

#### Scenario: Paper is missing
- **WHEN** the paper is missing
- **THEN** the job waits
- **AND** it prints later

#### Scenario: Printer is off

GIVEN a printer that is off
THEN the job fails

## REMOVED Requirements

### Requirement: Fax
**Reason**: Nobody faxes.

## RENAMED Requirements

- FROM: \`### Requirement: Old queue\`
- TO: \`### Requirement: New queue\`
`;
  const design =
    '## Context\n\nText.\n\n## Goals / Non-Goals\n\n**Goals:**\n- Speed\n\n**Non-Goals:**\n- Colours\n- N/A\n';
  const proposal = '## Why\n\nJobs are lost.\n\n## What Changes\n\n- Add a queue\n\n## Impact\n\n- Code: queue\n';
  const files = {
    'design.md': design,
    'proposal.md': proposal,
    'specs/print/spec.md': delta,
    'tasks.md': '- [ ] 1.1 Do it\n',
  };
  expect(take('openspec', files, 'add-retry')).toEqual({
    title: 'add-retry',
    objective: 'Jobs are lost.',
    guardrails: ['Non-Goals: Colours'],
    requirements: [
      {
        requirement_id: 'req-1',
        text: 'Retry of a print job\nThe printer SHALL try a job again.',
        acceptance_criteria: [
          'Paper is missing\n- WHEN the paper is missing\n- THEN the job waits\n- AND it prints later',
          'Printer is off\nGIVEN a printer that is off THEN the job fails',
        ],
      },
      { requirement_id: 'req-2', text: 'REMOVED Requirements\nFax\nReason: Nobody faxes.' },
      { requirement_id: 'req-3', text: 'RENAMED Requirements\nFROM: `### Requirement: Old queue`' },
      { requirement_id: 'req-4', text: 'RENAMED Requirements\nTO: `### Requirement: New queue`' },
    ],
    left: ['design.md: all but "Non-Goals"', 'proposal.md: "What Changes", "Impact"', 'tasks.md'],
  });
  const { 'specs/print/spec.md': _, ...without } = files;
  expect(take('openspec', without, 'add-retry').requirements).toEqual([
    { requirement_id: 'req-1', text: 'Add a queue' },
  ]);
  expect(take('openspec', { 'tasks.md': files['tasks.md'] }, 'add-retry').requirements).toEqual([
    { requirement_id: 'req-1', text: '1.1 Do it' },
  ]);
});

test('takes the user stories and criteria of Kiro, in lists or in paragraphs and in other languages', () => {
  const text = `# Requirements Document

## Introduction

A shop keeps its stock.

### Scope

- Stock

## Glossary

- **Stock**: What is there

## Requirements

### Requirement 1: Count

**Priority**: High

**User Story:** As a clerk, I want to count, so that I know.

#### Acceptance Criteria

1. WHEN a box arrives THEN the system SHALL add it
2. IF a box breaks THEN the system SHALL remove it

### 需求 2 - 盤點

#### 驗收標準

2.1. WHEN 盤點 THEN 系統 SHALL 顯示

2.2. THE 系統 SHALL 記錄
`;
  const design = '# Design\n\n## Constraints\n\nNo cloud.\n';
  expect(take('kiro', { 'design.md': design, 'requirements.md': text }, 'stock')).toEqual({
    title: 'stock',
    objective: 'A shop keeps its stock.',
    guardrails: ['Constraints: No cloud.'],
    requirements: [
      {
        requirement_id: 'req-1',
        text: 'Count\nUser Story: As a clerk, I want to count, so that I know.',
        acceptance_criteria: [
          'WHEN a box arrives THEN the system SHALL add it',
          'IF a box breaks THEN the system SHALL remove it',
        ],
      },
      {
        requirement_id: 'req-2',
        text: '盤點',
        acceptance_criteria: ['2.1. WHEN 盤點 THEN 系統 SHALL 顯示', '2.2. THE 系統 SHALL 記錄'],
      },
    ],
    left: ['design.md: all but "Constraints"', 'requirements.md: "Scope", "Glossary"'],
  });
});

test('takes the work and the criteria of an issue under its title', () => {
  const body = `### Description

The export is **slow**, see [the log](https://example.com/log).

### Acceptance criteria

- [ ] It takes 2 s
- [x] \`--fast\` is documented

### Tasks

1. - [ ] Measure it

### Additional context

- I use version 3
`;
  expect(take('issue', { '-': body }, 'Make the export fast')).toEqual({
    title: 'Make the export fast',
    objective: 'The export is slow, see [the log](https://example.com/log).',
    requirements: [
      {
        requirement_id: 'req-1',
        text: 'Make the export fast',
        acceptance_criteria: ['It takes 2 s', '`--fast` is documented'],
      },
      { requirement_id: 'req-2', text: 'Measure it' },
    ],
    left: ['-: "Additional context"'],
  });
  expect(take('issue', { '-': 'It fails.' }, 'Mend it')).toEqual({
    title: 'Mend it',
    objective: 'It fails.',
    requirements: [{ requirement_id: 'req-1', text: 'Mend it' }],
    left: [],
  });
  expect(take('issue', { '-': '' }, 'Mend it')).toMatchObject({ title: 'Mend it', objective: 'Mend it' });
});

test('takes the boxes of an issue form, and not the reasons above them', () => {
  const body =
    '# Feature\n\n## Why is it needed?\n\nNobody finds it.\n\n## What should it do?\n\nList both:\n\n- [ ] `one`\n- [ ] two\n';
  expect(take('issue', { '-': body }, 'Add a page')).toEqual({
    title: 'Add a page',
    objective: 'Nobody finds it.',
    requirements: [
      { requirement_id: 'req-1', text: '`one`' },
      { requirement_id: 'req-2', text: 'two' },
    ],
    left: [],
  });
});

test('takes the items of a plain list, and ids from headings, tables and brackets', () => {
  expect(take('markdown', { 'a.md': '# Move house\n\nBefore May.\n\n- Pack\n- Call a van\n\n  At eight.\n' })).toEqual({
    title: 'Move house',
    objective: 'Before May.',
    requirements: [
      { requirement_id: 'req-1', text: 'Pack' },
      { requirement_id: 'req-2', text: 'Call a van\nAt eight.' },
    ],
    left: [],
  });
  const text = `# Gate

## Requirements

| ID | Text | Level |
|---|---|---|
| R1 | Opens \`inwards\` | MUST |

- [NFR-2] Is quiet
- (a note)

### REQ-3.1: Is safe

It MUST stop.

- AC-1: At once
`;
  expect(take('markdown', { 'a.md': text }).requirements).toEqual([
    { requirement_id: 'R1', text: 'Opens `inwards`\nMUST' },
    { requirement_id: 'NFR-2', text: 'Is quiet' },
    { requirement_id: 'req-1', text: '(a note)' },
    { requirement_id: 'REQ-3.1', text: 'Is safe\nIt MUST stop.\n- AC-1: At once' },
  ]);
});

test('divides a requirement with more criteria than a session takes', () => {
  const criteria = Array.from({ length: 21 }, (_, index) => `- C${index}`).join('\n');
  const { requirements = [] } = take('markdown', { 'a.md': `# A\n\n## Acceptance criteria\n\n${criteria}\n` });
  expect(
    requirements.map(({ requirement_id, text, acceptance_criteria = [] }) => [
      requirement_id,
      text,
      acceptance_criteria.length,
    ]),
  ).toEqual([
    ['req-1', 'A', 20],
    ['req-2', 'A', 1],
  ]);
});

test('takes nothing of a text without any list', () => {
  expect(take('markdown', { 'a.md': '# Prose\n\nOnly words.\n' })).toEqual({
    title: 'Prose',
    objective: 'Only words.',
    left: [],
  });
});

test('takes a text of many blanks in the time of its length', () => {
  const blanks = ' '.repeat(100_000);
  const text = `# Doors${blanks}${'(include'.repeat(20_000)}${blanks}x\n\n## Why\n\nThey${blanks}jam.\n\n## Requirements\n\n- Oil${blanks}them\n`;
  expect(take('markdown', { 'notes.md': text }).requirements).toMatchObject([{ requirement_id: 'req-1' }]);
});
