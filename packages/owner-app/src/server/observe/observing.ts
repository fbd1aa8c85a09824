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
import { isSessionId, type Observer, type Parley, type SpanFacts } from '@parley/core';
import type { AnsweredRequest, Serving } from '@parley/http-host';
import type { GroupListener } from '@parley/storage-pg';
import type { HealthOptions } from '../health.ts';
import type { RetentionOutcome } from '../retain/sweep.ts';
import { createMetrics, type MetricsAddress, serveMetrics } from './metrics.ts';

const TRACER = 'parley';

/**
 * Whether a tracer provider is registered. Without a provider, the server neither opens spans nor reads trace headers.
 */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

/**
 * Returns a function that opens an OpenTelemetry span for each operation, and child spans for its appends and fetches.
 * A fetch outside of an operation gets no span.
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

/**
 * Error codes and outcomes for which a span counts as failed. Any other code is a refusal, which is not a failure of
 * the service.
 */
const FAULTS: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE', 'failed', 'unknown']);

/** The attributes of a span. An invalid session id is left out, because a caller may have sent a token in its place. */
function attributesOf({ operation, sessionId }: SpanFacts): Attributes {
  return {
    ...(operation === undefined ? {} : { 'parley.operation': operation }),
    ...(sessionId !== undefined && isSessionId(sessionId) ? { 'parley.session_id': sessionId } : {}),
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Handles each request inside the trace that its header `traceparent` names. If a span is already active, the listener
 * runs inside that span.
 */
export const continuingTraces =
  (listener: Listener): Listener =>
  (request, response) => {
    const here = context.active();
    if (trace.getSpan(here)) return listener(request, response);
    return context.with(propagation.extract(here, request.headers), listener, undefined, request, response);
  };

/** Metrics and traces of a server. Both are optional. */
export interface Observing {
  readonly observer: Observer | undefined;
  readonly onGroup: GroupListener | undefined;
  countRequest(request: AnsweredRequest): void;
  countRetained(outcome: RetentionOutcome): void;
  tracing(listener: Listener): Listener;
  /** Serves the metrics, if an address for them is configured. */
  serve(parley: Parley, health: HealthOptions): Promise<Serving | undefined>;
}

/**
 * Creates metrics and traces. Spans are created only if a tracer provider is registered.
 *
 * @param address where the metrics are served; if undefined, there are no metrics
 */
export function createObserving(address: MetricsAddress | undefined): Observing {
  const metrics = address && createMetrics();
  const spans = isTracing() ? createSpanOpener() : undefined;
  return {
    observer: metrics || spans ? { ...metrics?.observer, ...spans } : undefined,
    onGroup: metrics?.onGroup,
    countRequest: (request) => metrics?.countRequest(request),
    countRetained: (outcome) => metrics?.countRetained(outcome),
    tracing: (listener) => (spans ? continuingTraces(listener) : listener),
    async serve(parley, health) {
      if (!metrics) return undefined;
      metrics.readFrom(parley);
      return await serveMetrics(metrics, health, address);
    },
  };
}
