import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressText, listen } from './listen.ts'
import { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts'

/** Metrics that are served. */
export interface RunningMetrics extends Pick<Metrics, 'measure' | 'delivery' | 'attempt'> {
  /** Where they are, with the path. */
  readonly url: string
  stop(): void
}

export interface MetricsServerOptions extends MetricsOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  onFailure: (error: unknown) => void
}

/**
 * Serves GET /metrics at an address of its own, so that whoever can send deliveries can not read figures.
 * @throws ListenError if the address can not be listened on.
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
  const { port: taken } = server.address() as AddressInfo
  return {
    ...metrics,
    url: `${addressText(host, taken)}/metrics`,
    stop() {
      server.close()
      server.closeAllConnections()
      metrics.close()
    },
  }
}
