import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { baseUrl, listen } from './listen.ts'
import { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts'

/** A running metrics server. */
export interface RunningMetrics
  extends Pick<Metrics, 'measure' | 'delivery' | 'attempt' | 'connectionClosed'> {
  /** The URL of the metrics, including the path. */
  readonly url: string
  stop(): void
}

export interface MetricsServerOptions extends MetricsOptions {
  host: string
  /** 0 selects a free port. */
  port: number
  onFailure: (error: unknown) => void
}

/**
 * Serves GET /metrics on a separate address, so that senders of deliveries cannot read the metrics.
 * @throws ListenError if the server cannot listen on the address.
 */
export async function startMetrics({
  host,
  port,
  onFailure,
  ...options
}: MetricsServerOptions): Promise<RunningMetrics> {
  const metrics = createMetrics(options)
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    metrics.render().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      (error: unknown) => {
        onFailure(error)
        response.writeHead(500).end()
      },
    )
  })
  const variables = { host: 'METRICS_HOST', port: 'METRICS_PORT' }
  await listen(server, { host, port, variables })
  const { port: actualPort } = server.address() as AddressInfo
  return {
    ...metrics,
    url: `${baseUrl(host, actualPort)}/metrics`,
    stop() {
      server.close()
      server.closeAllConnections()
      metrics.close()
    },
  }
}
