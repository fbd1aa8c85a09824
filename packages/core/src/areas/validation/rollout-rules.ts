import { nameKey } from '../../kernel/name-key.ts';
import { GATE_STAGES } from '../document/contract.ts';
import type { Rule } from './rule.ts';

/** Rules about gates, scope, dependencies, rollout and fixtures. */
export const ROLLOUT_RULES: readonly Rule[] = [
  {
    reads: 'contract',
    code: 'GATE_MISSING',
    severity: 'warning',
    explanation: 'The stages build, deployment and activation must each have a gate.',
    hint: 'Add a gate for the stage with a condition that the owner can check.',

    *check({ gates }) {
      for (const stage of GATE_STAGES)
        if (!gates.some((gate) => gate.stage === stage))
          yield { pointer: '/gates', message: `The stage ${stage} has no gate.` };
    },
  },
  {
    reads: 'contract',
    code: 'DEPENDENCY_VERSIONS_DIFFER',
    severity: 'warning',
    explanation: 'Both builders must use the same version of a dependency.',
    hint: 'Agree on one version. Or give the two dependencies different names, and say in "why" that the difference does no harm.',

    *check({ dependencies }) {
      const firstOf = new Map<string, { readonly version: string; readonly at: number }>();
      for (const [at, { name, version }] of dependencies.entries()) {
        if (version === undefined) continue;
        const key = nameKey(name);
        const first = firstOf.get(key);
        if (first === undefined) firstOf.set(key, { version, at });
        else if (first.version.trim() !== version.trim())
          yield {
            pointer: `/dependencies/${at}/version`,
            message: `The version differs from that of the same dependency at /dependencies/${first.at}.`,
          };
      }
    },
  },
  {
    reads: 'contract',
    code: 'SCOPE_CONTRADICTION',
    severity: 'error',
    explanation: 'Nothing may be both in scope and out of scope.',
    hint: 'Remove the line from one of the two lists.',

    *check({ scope }) {
      const inScope = new Set(scope.in.map(nameKey));
      for (const [at, line] of scope.out.entries())
        if (inScope.has(nameKey(line)))
          yield { pointer: `/scope/out/${at}`, message: 'This line is also listed in /scope/in.' };
    },
  },
  {
    reads: 'contract',
    code: 'ROLLOUT_WITHOUT_STEPS',
    severity: 'warning',
    explanation: 'The rollout must list its steps.',
    hint: 'List the steps in their order, each with who takes it.',

    *check({ rollout }) {
      if (rollout.steps.length === 0) yield { pointer: '/rollout/steps', message: 'The rollout has no steps.' };
    },
  },
  {
    reads: 'contract',
    code: 'FIXTURE_VERSION_DIFFERS',
    severity: 'error',
    explanation: 'The fixture_version must be the one that read_task shows.',
    hint: 'Write the fixture_version that read_task shows. Reports of readiness and handshakes must repeat it exactly.',

    *check({ fixture_version }, { fixtureVersion }) {
      if (fixture_version !== fixtureVersion)
        yield { pointer: '/fixture_version', message: 'This is not the fixture_version of the session.' };
    },
  },
];
