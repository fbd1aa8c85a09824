import { artifactNotNamed } from './artifacts/artifact-not-named.ts';
import { filenameRepeated } from './artifacts/filename-repeated.ts';
import { filenameReserved } from './artifacts/filename-reserved.ts';
import { filenameUnsafe } from './artifacts/filename-unsafe.ts';
import { dataModelRefUnknown } from './data-models/data-model-ref-unknown.ts';
import { dataModelTypeUnknown } from './data-models/data-model-type-unknown.ts';
import { dataModelUnsatisfiable } from './data-models/data-model-unsatisfiable.ts';
import { decisionNotResolved } from './decisions/decision-not-resolved.ts';
import { inactiveDecisionCited } from './decisions/inactive-decision-cited.ts';
import { resolvedDecisionOmitted } from './decisions/resolved-decision-omitted.ts';
import { unknownDecision } from './decisions/unknown-decision.ts';
import { duplicateId } from './ids/duplicate-id.ts';
import { idUsedByTwoKinds } from './ids/id-used-by-two-kinds.ts';
import { repeatedReference } from './ids/repeated-reference.ts';
import { similarIds } from './ids/similar-ids.ts';
import { duplicateOperation } from './interfaces/duplicate-operation.ts';
import { eventWithoutPayload } from './interfaces/event-without-payload.ts';
import { httpOperationWithoutErrors } from './interfaces/http-operation-without-errors.ts';
import { httpOperationWithoutPath } from './interfaces/http-operation-without-path.ts';
import { httpOperationWithoutResponse } from './interfaces/http-operation-without-response.ts';
import { interfaceNotTested } from './interfaces/interface-not-tested.ts';
import { interfaceSelfConsumed } from './interfaces/interface-self-consumed.ts';
import { interfaceWithoutConsumer } from './interfaces/interface-without-consumer.ts';
import { interfaceWithoutConsumerTask } from './interfaces/interface-without-consumer-task.ts';
import { interfaceWithoutOperations } from './interfaces/interface-without-operations.ts';
import { interfaceWithoutProviderTask } from './interfaces/interface-without-provider-task.ts';
import { noSharedInterface } from './interfaces/no-shared-interface.ts';
import { undeclaredInterfaceUse } from './interfaces/undeclared-interface-use.ts';
import { unknownInterface } from './interfaces/unknown-interface.ts';
import { requirementNotCovered } from './requirements/requirement-not-covered.ts';
import { requirementNotTested } from './requirements/requirement-not-tested.ts';
import { unknownRequirement } from './requirements/unknown-requirement.ts';
import { gateMissing } from './rollout/gate-missing.ts';
import { rolloutWithoutSteps } from './rollout/rollout-without-steps.ts';
import type { Rule } from './rule.ts';
import { safetyConditionNotCovered } from './safety/safety-condition-not-covered.ts';
import { unknownCover } from './safety/unknown-cover.ts';
import { dependencyVersionsDiffer } from './scope/dependency-versions-differ.ts';
import { scopeContradiction } from './scope/scope-contradiction.ts';
import { builderWithoutTask } from './tasks/builder-without-task.ts';
import { taskCycle } from './tasks/task-cycle.ts';
import { taskWaitsWithoutInterface } from './tasks/task-waits-without-interface.ts';
import { taskWithoutDeliverables } from './tasks/task-without-deliverables.ts';
import { taskWithoutDoneWhen } from './tasks/task-without-done-when.ts';
import { taskWithoutPurpose } from './tasks/task-without-purpose.ts';
import { unknownTask } from './tasks/unknown-task.ts';
import { fixtureVersionDiffers } from './tests/fixture-version-differs.ts';
import { oneSidedKinds } from './tests/one-sided-kinds.ts';
import { singleExecutor } from './tests/single-executor.ts';
import { testCycle } from './tests/test-cycle.ts';
import { testResponsibleOutside } from './tests/test-responsible-outside.ts';
import { testWithoutPurpose } from './tests/test-without-purpose.ts';
import { unknownTest } from './tests/unknown-test.ts';
import { credentialText } from './texts/credential-text.ts';
import { placeholderText } from './texts/placeholder-text.ts';

/**
 * The rules that `validate.ts` checks once the contract meets its schema, in the order in which answers list their
 * issues.
 */
export const RULES: readonly Rule[] = [
  duplicateId,
  idUsedByTwoKinds,
  similarIds,
  unknownRequirement,
  unknownInterface,
  unknownTask,
  unknownTest,
  unknownCover,
  repeatedReference,
  unknownDecision,
  decisionNotResolved,
  resolvedDecisionOmitted,
  inactiveDecisionCited,
  requirementNotCovered,
  requirementNotTested,
  safetyConditionNotCovered,
  taskCycle,
  testCycle,
  interfaceWithoutConsumer,
  interfaceWithoutProviderTask,
  interfaceWithoutConsumerTask,
  interfaceSelfConsumed,
  interfaceNotTested,
  noSharedInterface,
  undeclaredInterfaceUse,
  interfaceWithoutOperations,
  duplicateOperation,
  httpOperationWithoutPath,
  httpOperationWithoutResponse,
  httpOperationWithoutErrors,
  eventWithoutPayload,
  dataModelTypeUnknown,
  dataModelRefUnknown,
  dataModelUnsatisfiable,
  builderWithoutTask,
  taskWithoutPurpose,
  taskWithoutDeliverables,
  taskWithoutDoneWhen,
  taskWaitsWithoutInterface,
  testWithoutPurpose,
  testResponsibleOutside,
  singleExecutor,
  oneSidedKinds,
  gateMissing,
  dependencyVersionsDiffer,
  scopeContradiction,
  rolloutWithoutSteps,
  fixtureVersionDiffers,
  placeholderText,
  credentialText,
  filenameUnsafe,
  filenameRepeated,
  filenameReserved,
  artifactNotNamed,
];
