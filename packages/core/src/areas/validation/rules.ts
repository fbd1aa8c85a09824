import type { Rule } from './rule.ts';
import { artifactNotNamed } from './rules/artifact-not-named.ts';
import { builderWithoutTask } from './rules/builder-without-task.ts';
import { credentialText } from './rules/credential-text.ts';
import { dataModelRefUnknown } from './rules/data-model-ref-unknown.ts';
import { dataModelTypeUnknown } from './rules/data-model-type-unknown.ts';
import { dataModelUnsatisfiable } from './rules/data-model-unsatisfiable.ts';
import { decisionNotResolved } from './rules/decision-not-resolved.ts';
import { dependencyVersionsDiffer } from './rules/dependency-versions-differ.ts';
import { duplicateId } from './rules/duplicate-id.ts';
import { duplicateOperation } from './rules/duplicate-operation.ts';
import { eventWithoutPayload } from './rules/event-without-payload.ts';
import { filenameRepeated } from './rules/filename-repeated.ts';
import { filenameReserved } from './rules/filename-reserved.ts';
import { filenameUnsafe } from './rules/filename-unsafe.ts';
import { fixtureVersionDiffers } from './rules/fixture-version-differs.ts';
import { gateMissing } from './rules/gate-missing.ts';
import { httpOperationWithoutErrors } from './rules/http-operation-without-errors.ts';
import { httpOperationWithoutPath } from './rules/http-operation-without-path.ts';
import { httpOperationWithoutResponse } from './rules/http-operation-without-response.ts';
import { idUsedByTwoKinds } from './rules/id-used-by-two-kinds.ts';
import { interfaceNotTested } from './rules/interface-not-tested.ts';
import { interfaceSelfConsumed } from './rules/interface-self-consumed.ts';
import { interfaceWithoutConsumer } from './rules/interface-without-consumer.ts';
import { interfaceWithoutConsumerTask } from './rules/interface-without-consumer-task.ts';
import { interfaceWithoutOperations } from './rules/interface-without-operations.ts';
import { interfaceWithoutProviderTask } from './rules/interface-without-provider-task.ts';
import { noSharedInterface } from './rules/no-shared-interface.ts';
import { placeholderText } from './rules/placeholder-text.ts';
import { repeatedReference } from './rules/repeated-reference.ts';
import { requirementNotCovered } from './rules/requirement-not-covered.ts';
import { requirementNotTested } from './rules/requirement-not-tested.ts';
import { resolvedDecisionOmitted } from './rules/resolved-decision-omitted.ts';
import { rolloutWithoutSteps } from './rules/rollout-without-steps.ts';
import { safetyConditionNotCovered } from './rules/safety-condition-not-covered.ts';
import { scopeContradiction } from './rules/scope-contradiction.ts';
import { similarIds } from './rules/similar-ids.ts';
import { singleExecutor } from './rules/single-executor.ts';
import { taskCycle } from './rules/task-cycle.ts';
import { taskWaitsWithoutInterface } from './rules/task-waits-without-interface.ts';
import { taskWithoutDeliverables } from './rules/task-without-deliverables.ts';
import { taskWithoutDoneWhen } from './rules/task-without-done-when.ts';
import { taskWithoutPurpose } from './rules/task-without-purpose.ts';
import { testCycle } from './rules/test-cycle.ts';
import { testResponsibleOutside } from './rules/test-responsible-outside.ts';
import { testWithoutPurpose } from './rules/test-without-purpose.ts';
import { undeclaredInterfaceUse } from './rules/undeclared-interface-use.ts';
import { unknownCover } from './rules/unknown-cover.ts';
import { unknownDecision } from './rules/unknown-decision.ts';
import { unknownInterface } from './rules/unknown-interface.ts';
import { unknownRequirement } from './rules/unknown-requirement.ts';
import { unknownTask } from './rules/unknown-task.ts';
import { unknownTest } from './rules/unknown-test.ts';

/** Every rule beyond the contract's schema, in the order in which issues are listed. */
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
