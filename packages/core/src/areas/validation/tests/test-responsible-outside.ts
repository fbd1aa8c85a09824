import { partiesOf } from '../interfaces/interfaces.ts';
import { byId } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const testResponsibleOutside: ContractRule = {
  reads: 'contract',
  code: 'TEST_RESPONSIBLE_OUTSIDE',
  severity: 'warning',
  explanation: 'The builder responsible for a test must provide or consume one of its interfaces.',
  hint: 'Name the provider or a consumer of an interface of the test as responsible, or leave responsible out.',

  *check({ tests, interfaces }) {
    const interfaceOf = byId(interfaces);
    for (const [at, test] of tests.entries()) {
      const { id, responsible } = test;
      const involved = test.interfaces.flatMap((name) => interfaceOf.get(name) ?? []);
      if (responsible && involved.length > 0 && !involved.some((item) => partiesOf(item).has(responsible)))
        yield {
          pointer: `/tests/${at}/responsible`,
          message: `${responsible} neither provides nor consumes an interface of test ${id}.`,
        };
    }
  },
};
