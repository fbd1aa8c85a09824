import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  context,
  ProxyTracerProvider,
  propagation,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { isSessionId, type Observer, type SpanFacts } from '@parley/core';

const TRACER = 'parley';

/** Whether somebody registered a tracer provider. Without one no span is opened and no header read. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

/**
 * Makes an OpenTelemetry span of each operation, and one of each append and fetch within it. What looks for news in the
 * background is nobody's request and has none.
 */
export function createSpanOpener(tracer: Tracer = trace.getTracer(TRACER)): Required<Pick<Observer, 'openSpan'>> {
  return {
    openSpan(facts) {
      if (facts.work !== 'operation' && !trace.getSpan(context.active())) return undefined;
      const span = tracer.startSpan(`parley.${facts.operation ?? facts.work}`, { attributes: attributesOf(facts) });
      const current = trace.setSpan(context.active(), span);
      return {
        run: (begin) => context.with(current, begin),
        end({ outcome, role }) {
          span.setAttribute('parley.outcome', outcome);
          if (role !== undefined) span.setAttribute('parley.role', role);
          if (FAULTS.has(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
          span.end();
        },
      };
    },
  };
}

/** Everything else that is no `ok` is an answer: a refusal that the other side can act on. */
const FAULTS: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE', 'failed', 'unknown']);

/** Leaves out what is no session id: a caller can send a token in its place. */
function attributesOf({ operation, sessionId }: SpanFacts): Attributes {
  return {
    ...(operation === undefined ? {} : { 'parley.operation': operation }),
    ...(sessionId !== undefined && isSessionId(sessionId) ? { 'parley.session_id': sessionId } : {}),
  };
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Answers each request within the trace that its `traceparent` names, unless an instrumentation has opened one. */
export const continuingTraces =
  (listener: Listener): Listener =>
  (request, response) => {
    const here = context.active();
    if (trace.getSpan(here)) return listener(request, response);
    return context.with(propagation.extract(here, request.headers), listener, undefined, request, response);
  };
