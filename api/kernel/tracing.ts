import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api'

const tracer = trace.getTracer('skein')
let tracing = false

/** Whether tracing is on; otherwise no spans are created. */
export const isTracing = (): boolean => tracing

/**
 * Sends traces to an OpenTelemetry collector from now on: requests, GraphQL operations, statements and what the shop
 * asks of others, PayPal above all. Packages for it are loaded only then. Returns a function that sends the rest and stops.
 * Headers and sampling are set by OpenTelemetry's own variables.
 */
export async function startTracing(endpoint: string, name: string): Promise<() => Promise<void>> {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }, undici, hooks] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/instrumentation-undici'),
      import('@opentelemetry/instrumentation'),
    ])
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  })
  provider.register()
  const unhook = hooks.registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [new undici.UndiciInstrumentation({ ignoreRequestHook: ({ origin }) => url.startsWith(origin) })],
  })
  tracing = true
  return async () => {
    tracing = false
    unhook()
    await provider.shutdown()
    for (const each of [trace, context, propagation]) each.disable()
  }
}

/** A request that somebody makes of the shop, as part of their trace when they have one. `work` belongs to it. */
export function startRequest(
  name: string,
  headers: Record<string, unknown>,
  attributes: Attributes,
  work: (span: Span) => void,
): void {
  const parent = propagation.extract(context.active(), headers)
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
  context.with(trace.setSpan(parent, span), () => work(span))
}

/** Something the shop does for a request, or by itself. */
export const startSpan = (name: string, kind: SpanKind = SpanKind.INTERNAL, attributes: Attributes = {}): Span =>
  tracer.startSpan(name, { kind, attributes })

/** Whether a request, or a part of one, is being worked on: what the shop does by itself again and again is not traced. */
export const isInRequest = (): boolean => trace.getActiveSpan() !== undefined

/** Ends a span. Errors are recorded by type, status or code: messages may hold what people typed. */
export function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    const type = error instanceof Error ? error.name : String(error)
    span.setStatus({ code: SpanStatusCode.ERROR, message: type }).setAttribute('error.type', type)
  }
  span.end()
}
