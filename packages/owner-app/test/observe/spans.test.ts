import { context, propagation, trace } from '@opentelemetry/api';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { createMemoryStorage } from '@parley/core';
import { createLog } from '@parley/http-host/program';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSpanOpener, isTracing } from '../../src/server/observing.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { startOn } from '../../src/server/start.ts';
import { AS_OWNER, ask, createSession, seatAgent } from '../ask.ts';
import { KEY } from '../running-app.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${CALLER}-01`;

const exporter = new InMemorySpanExporter();
let wasTracing: boolean;

/** What a collector does with the spans that it gets. */
let collect: SpanExporter['export'] = (_spans, done) => done({ code: 0 });
const collector: SpanExporter = {
  export: (spans, done) => collect(spans, done),
  // As the exporters of OpenTelemetry, which give up after a time limit.
  shutdown: async () => undefined,
};

beforeAll(() => {
  wasTracing = isTracing();
  new NodeTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(exporter),
      new SimpleSpanProcessor(collector),
      new BatchSpanProcessor(collector, { maxQueueSize: 4, maxExportBatchSize: 2, scheduledDelayMillis: 1 }),
    ],
  }).register();
});
afterAll(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});
beforeEach(() => exporter.reset());

async function startTraced(): Promise<{ readonly url: string; readonly id: string; readonly token: string }> {
  const settings = readSettings({ PORT: '0', PARLEY_OWNER_KEY: KEY });
  const { url, close } = await startOn(createMemoryStorage(), settings, createLog('silent', process.stderr));
  onTestFinished(() => close());
  const id = await createSession(url);
  const token = await seatAgent(url, id, 'agent_a');
  await ask(url, `/owner/api/sessions/${id}/start`, { headers: AS_OWNER, body: {} });
  exporter.reset();
  return { url, id, token };
}

const outlineOf = ({ name, attributes, status, parentSpanContext }: ReadableSpan) => ({
  name,
  attributes,
  status: status.code,
  parent: parentSpanContext?.spanId,
});

const spanNamed = (name: string): ReadableSpan =>
  exporter.getFinishedSpans().find((span) => span.name === name) ?? expect.unreachable(`no span ${name}`);

describe('spans', () => {
  test('are not opened before a provider is registered', () => {
    expect(wasTracing).toBe(false);
    expect(isTracing()).toBe(true);
  });

  test('continue the trace of a REST request, with the append below the operation', async () => {
    const { url, id, token } = await startTraced();
    const headers = { authorization: `Bearer ${token}`, traceparent };
    const { status, headers: answered } = await ask(url, `/api/public/agent/sessions/${id}/turns`, {
      headers,
      body: { summary: 'Offsets hurt.' },
    });
    expect(status).toBe(200);
    expect(answered.get('x-request-id')).toBe(TRACE);
    const operation = spanNamed('parley.post_turn');
    expect(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).toEqual([TRACE, TRACE]);
    expect(exporter.getFinishedSpans().map(outlineOf)).toEqual([
      {
        name: 'parley.append',
        attributes: { 'parley.session_id': id, 'parley.outcome': 'ok' },
        status: 0,
        parent: operation.spanContext().spanId,
      },
      {
        name: 'parley.post_turn',
        attributes: {
          'parley.operation': 'post_turn',
          'parley.session_id': id,
          'parley.outcome': 'ok',
          'parley.role': 'builder',
        },
        status: 0,
        parent: CALLER,
      },
    ]);
  });

  test('continue the trace of an MCP request, with the fetch below the operation', async () => {
    const { url, token } = await startTraced();
    const { status } = await ask(url, `/api/public/mcp/${token}`, {
      headers: { traceparent },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_session_state', arguments: {} } },
    });
    expect(status).toBe(200);
    const operation = spanNamed('parley.read_session_state');
    expect(operation.spanContext().traceId).toBe(TRACE);
    expect(operation.parentSpanContext?.spanId).toBe(CALLER);
    const fetched = spanNamed('parley.fetch');
    expect(fetched.spanContext().traceId).toBe(TRACE);
    expect(fetched.parentSpanContext?.spanId).toBe(operation.spanContext().spanId);
  });

  test('begin a new trace without a traceparent, or with an invalid one', async () => {
    const { url, id, token } = await startTraced();
    const path = `/api/public/agent/sessions/${id}/state`;
    const authorization = `Bearer ${token}`;
    await ask(url, path, { headers: { authorization } });
    await ask(url, path, { headers: { authorization, traceparent: `00-${'0'.repeat(32)}-${CALLER}-01` } });
    const operations = exporter.getFinishedSpans().filter(({ name }) => name === 'parley.read_session_state');
    expect(operations.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
    expect(new Set(operations.map((span) => span.spanContext().traceId)).size).toBe(2);
  });

  test('keep calls that run at the same time apart', async () => {
    const { url, id, token } = await startTraced();
    const traces = ['1', '2', '3', '4', '5', '6'].map((digit) => digit.repeat(32));
    await Promise.all(
      traces.map((own) =>
        ask(url, `/api/public/agent/sessions/${id}/state`, {
          headers: { authorization: `Bearer ${token}`, traceparent: `00-${own}-${CALLER}-01` },
        }),
      ),
    );
    const byTrace = (own: string) =>
      exporter
        .getFinishedSpans()
        .filter((span) => span.spanContext().traceId === own)
        .map(({ name }) => name);
    expect(traces.map(byTrace)).toEqual(traces.map(() => ['parley.fetch', 'parley.read_session_state']));
  });

  test('contain the code of a refusal without marking an error, and no sent text', async () => {
    const { url, id, token } = await startTraced();
    const secret = 'https://example.com/secret';
    await ask(url, `/api/public/agent/sessions/${id}/decisions/accept`, {
      headers: { authorization: `Bearer ${token}` },
      body: { decision_id: 'd_9' },
    });
    await ask(url, `/owner/api/sessions/${token}`, { headers: AS_OWNER });
    await ask(url, `/owner/api/sessions/${id}/end`, { headers: AS_OWNER, body: { reason: secret } });
    const outlines = exporter.getFinishedSpans().map(outlineOf);
    expect(outlines.map(({ name, attributes }) => [name, attributes['parley.outcome']])).toContainEqual([
      'parley.accept_decision',
      'UNKNOWN_RECORD',
    ]);
    expect(outlines.filter(({ status }) => status === 2)).toEqual([]);
    const text = JSON.stringify(
      exporter.getFinishedSpans().map((span) => ({ ...outlineOf(span), events: span.events })),
    );
    for (const forbidden of [token.slice(4, 40), 'prt_', 'pok_', secret]) expect(text.includes(forbidden)).toBe(false);
  });

  test('mark failures as errors', () => {
    const { openSpan } = createSpanOpener();
    const operation = openSpan({ work: 'operation', operation: 'post_turn' });
    operation?.run(() => openSpan({ work: 'append', sessionId: 'prt_no-session' })?.end({ outcome: 'unknown' }));
    operation?.end({ outcome: 'STORAGE_UNAVAILABLE', role: 'builder' });
    expect(exporter.getFinishedSpans().map(outlineOf)).toMatchObject([
      { name: 'parley.append', attributes: { 'parley.outcome': 'unknown' }, status: 2 },
      { name: 'parley.post_turn', attributes: { 'parley.outcome': 'STORAGE_UNAVAILABLE' }, status: 2 },
    ]);
    expect(JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes))).not.toContain('prt_');
  });

  test('are not opened for background fetches', () => {
    expect(createSpanOpener().openSpan({ work: 'fetch', sessionId: 'x' })).toBeUndefined();
  });

  test.each<[string, SpanExporter['export']]>([
    ['hangs', () => undefined],
    ['refuses', (_spans, done) => done({ code: 1, error: new Error('connect ECONNREFUSED') })],
    [
      'throws',
      () => {
        throw new Error('The collector is broken.');
      },
    ],
  ])('to a collector that %s change no answer and delay none', async (_what, does) => {
    onTestFinished(() => {
      collect = (_spans, done) => done({ code: 0 });
    });
    const { url, id, token } = await startTraced();
    let collected = 0;
    collect = (spans, done) => {
      collected += 1;
      does(spans, done);
    };
    const headers = { authorization: `Bearer ${token}`, traceparent };
    const state = () => ask(url, `/api/public/agent/sessions/${id}/state`, { headers });
    const turn = { request_id: 'turn-1', summary: 'The shop side.' };
    const body = await ask(url, `/api/public/agent/sessions/${id}/turns`, { headers, body: turn });
    expect(body.status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 40 }, state));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(collected).toBeGreaterThan(0);
    expect((await ask(url, '/healthz')).status).toBe(200);
  });
});
