import { parseRoute, readChaos, SCHEDULES } from '../deliveries/index.ts'
import type { ResolvedOptions, SandboxOptions } from './options.ts'
import { validateOptions } from './validate.ts'

/**
 * Validates the options once and fills in the defaults.
 * @throws SandboxError `bad_option`, RouteError or ChaosError for an invalid option
 */
export function resolveOptions(options: SandboxOptions): ResolvedOptions {
  validateOptions(options)
  const {
    port = 0,
    host = '127.0.0.1',
    file = ':memory:',
    seed,
    routes = [],
    schedule = 'fast',
    ack = '2xx',
    botProtection = false,
    dashboardPassword,
    chaos,
    clock = Date.now,
    onFailure = () => {},
    onNotice = () => {},
  } = options
  return {
    port,
    host,
    file,
    seed,
    ack,
    botProtection,
    dashboardPassword,
    clock,
    onFailure,
    onNotice,
    routes: routes.map(parseRoute),
    schedule: typeof schedule === 'string' ? SCHEDULES[schedule] : schedule,
    chaos: chaos === undefined ? undefined : readChaos(chaos),
  }
}
