import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/areas/document/contract.ts';
import { renderContract } from '../../src/areas/rendering/contract.ts';
import { type HandoffFacts, renderHandoff } from '../../src/areas/rendering/handoff.ts';
import { FULL_CONTRACT } from '../full-contract/full-contract.ts';
import { EXAMPLE_FACTS } from './facts.ts';
import { nodesOf, skeletonOf, treeOf } from './markdown-tree.ts';
import { harmless, nastyText } from './nasty-texts.ts';
import { withTexts } from './texts-of-contract.ts';

type Replace = (text: string) => string;
type Render = (replace: Replace) => string;

const ALLOWED = [
  ...['root', 'heading', 'paragraph', 'text', 'inlineCode', 'break', 'strong', 'code'],
  ...['list', 'listItem', 'table', 'tableRow', 'tableCell'],
];

const contractOf: Render = (replace) => renderContract(withTexts(FULL_CONTRACT, replace));
const handoffOf: Render = (replace) =>
  renderHandoff(withTexts(FULL_CONTRACT, replace), 'agent_b', factsWith(EXAMPLE_FACTS, replace));

describe.each([
  ['renderContract', contractOf],
  ['renderHandoff', handoffOf],
])('%s', (_, render) => {
  test('has the structure of the contract, whatever its texts say', () => {
    fc.assert(
      fc.property(fc.array(nastyText, { minLength: 1, maxLength: 30 }), (texts) => {
        const inTurn = (change: Replace): Replace => {
          let at = 0;
          return () => change(texts[at++ % texts.length] ?? '');
        };
        const tree = treeOf(render(inTurn((text) => text)));
        expect(skeletonOf(tree)).toEqual(skeletonOf(treeOf(render(inTurn(harmless)))));
        expect(nodesOf(tree).filter(({ type }) => !ALLOWED.includes(type))).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  test('is the same when it is rendered again', () => {
    expect(render((text) => text)).toBe(render((text) => text));
  });
});

describe('renderContract', () => {
  test('keeps the JSON of shapes and models complete, whatever it contains', () => {
    fc.assert(
      fc.property(fc.dictionary(nastyText, nastyText, { minKeys: 1, maxKeys: 5, noNullPrototype: true }), (words) => {
        const shape = { ...words, padding: 'x'.repeat(100) };
        const tree = treeOf(renderContract(withShape(FULL_CONTRACT, shape)));
        const blocks = nodesOf(tree).filter(({ type, lang }) => type === 'code' && lang === 'json');
        expect(blocks.map(({ value = '' }) => JSON.parse(value))).toEqual([shape, shape, { cases: shape }, shape]);
      }),
      { numRuns: 20 },
    );
  });

  test('is the same for equal contracts, whatever the order of their members', () => {
    const reversed = JSON.parse(JSON.stringify(FULL_CONTRACT), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    expect(renderContract(reversed)).toBe(renderContract(FULL_CONTRACT));
  });

  test('states that a section is empty', () => {
    const empty: Contract = {
      title: 'Nothing yet',
      summary: 'A start.',
      scope: { in: [], out: [] },
      decisions: [],
      interfaces: [],
      data_models: [],
      tasks: [],
      tests: [],
      gates: [],
      risks: [],
      safety_conditions: [],
      dependencies: [],
      rollout: { steps: [], rollback: 'Nothing to take back.' },
      fixture_version: 'none',
      artifacts: [],
    };
    const tree = treeOf(renderContract(empty));
    expect(nodesOf(tree).filter(({ value }) => value === 'None.')).toHaveLength(16);
  });
});

function factsWith(facts: HandoffFacts, replace: Replace): HandoffFacts {
  const { title, objective, guardrails, requirements, agents } = facts.mission;
  const agent = ({ name, repository, service }: typeof agents.agent_a) => ({
    name: replace(name),
    repository: replace(repository),
    service: replace(service),
  });
  return {
    terms: facts.terms,
    revision_id: replace(facts.revision_id),
    content_hash: replace(facts.content_hash),
    mission: {
      title: replace(title),
      objective: replace(objective),
      guardrails: guardrails.map(replace),
      requirements: requirements.map(({ requirement_id, text }) => ({ requirement_id, text: replace(text) })),
      agents: { agent_a: agent(agents.agent_a), agent_b: agent(agents.agent_b) },
    },
    decisions: facts.decisions.map(({ decision_id, topic, position }) => ({
      decision_id,
      topic: replace(topic),
      position: replace(position),
    })),
    replaced: facts.replaced,
  };
}

function withShape(contract: Contract, shape: Record<string, unknown>): Contract {
  return {
    ...contract,
    interfaces: contract.interfaces.slice(0, 1).map((item) => ({
      ...item,
      operations: [
        { name: 'POST /v1/captures', request: shape, response: shape, errors: [{ cases: shape }, 'a line'] },
      ],
    })),
    data_models: [{ id: 'model', name: 'Model', json_schema: shape }],
  };
}
