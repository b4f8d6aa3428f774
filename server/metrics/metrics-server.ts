import type { AddressInfo } from 'node:net'
import { drainRequest } from '@hookproof/receiver/express'
import { createLimitedServer } from '../http/http-server.ts'
import { baseUrl, listen } from '../http/listen.ts'
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

/** Few programs read the metrics. */
const MAX_CONNECTIONS = 16

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
  let rendering: Promise<string> | undefined
  // Clients that ask at the same time share one query of the store.
  const render = () =>
    (rendering ??= metrics.render().finally(() => {
      rendering = undefined
    }))
  const { server } = createLimitedServer(
    (request, response) => {
      drainRequest(request)
      if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
        response.writeHead(404).end()
        return
      }
      render().then(
        (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
        (error: unknown) => {
          onFailure(error)
          response.writeHead(500).end()
        },
      )
    },
    { maxConnections: MAX_CONNECTIONS },
    { headersTimeout: 10_000, requestTimeout: 10_000 },
  )
  const setBy = { host: 'METRICS_HOST', port: 'METRICS_PORT' }
  await listen(server, { host, port, setBy })
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
