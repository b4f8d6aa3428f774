import type { FastifyPluginAsync } from 'fastify'
import { fastifyRoute, type ReadFastifyBody } from '../fastify.ts'
import type { ReceiverOptions } from '../receive.ts'
import { logLine } from '../shared/log-line.ts'
import { readWithinLimits } from './node-body.ts'
import { guardOutcome, type OutcomeOptions } from './outcome.ts'
import { type LimitOptions, limitedReceiver, limitsOf } from './overload.ts'

export type { OnOutcome, OutcomeOptions } from './outcome.ts'
export type { LimitOptions } from './overload.ts'

export type WebhookPluginOptions = ReceiverOptions &
  LimitOptions &
  OutcomeOptions & {
    /** The path of the route, for example `/webhooks`. A `prefix` comes before it. */
    url: string
  }

/**
 * A Fastify plugin for POST `url`: reads the bytes within limits, verifies, stores and answers 200. It does not process events
 * (see `startProcessing`). The content-type parsers and the body limit of the app do not apply to the route; its hooks do.
 * Register it with `app.register(webhookPlugin, { url, secrets, inbox })`. SPEC.md 1, 4, 5, 6 and 10.
 * @throws TypeError if an option would accept or reject every delivery, or a number is not an integer of at least 1.
 */
export const webhookPlugin: FastifyPluginAsync<WebhookPluginOptions> = async (scope, options) => {
  if (typeof scope?.removeAllContentTypeParsers !== 'function') {
    throw new TypeError('webhookPlugin: is a Fastify plugin. Pass it to app.register().')
  }
  const { url } = options
  if (typeof url !== 'string') throw new TypeError("url: is missing. Pass the path, for example '/webhooks'.")
  if ('http2' in scope.initialConfig && scope.initialConfig.http2)
    throw new TypeError('webhookPlugin: HTTP/2 is not supported. Receive webhooks over HTTP/1.1.')
  const limits = limitsOf(options)
  const readBody: ReadFastifyBody = ({ raw }, reply) => readWithinLimits(raw, reply.raw, limits)
  const receive = limitedReceiver(options, limits.overload)
  fastifyRoute(scope, url, receive, guardOutcome(options, logLine), readBody)
}
