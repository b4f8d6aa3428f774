import { httpUrl } from '../../../conformance/engine/wire/http-url.ts'
import { packageVersion } from '../../../conformance/report/package.ts'
import { type K6Options, k6Script, k6TestRun } from '../../../load/k6/script.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { SIGNATURE_HEADER } from '../../shared/shared-options.ts'
import type { Export, LoadCommandOptions } from './options.ts'

/** The address of the reference receiver. */
const DEFAULT_URL = 'http://127.0.0.1:3000/webhooks'

/** `hookproof load --export`: writes a load test for another tool to standard output, and sends nothing. */
export function exportLoad(
  kind: Export,
  url: string | undefined,
  options: LoadCommandOptions,
  io: Io,
): ExitCode {
  if (kind === 'k6-operator' && url === undefined) {
    throw new UsageError('--export k6-operator needs the URL of the receiver, as the cluster resolves it')
  }
  const k6: K6Options = {
    version: packageVersion(),
    url: httpUrl(url ?? DEFAULT_URL),
    signatureHeader: options.signatureHeader ?? SIGNATURE_HEADER,
    rate: options.rate ?? 100,
    durationMs: options.duration ?? 10_000,
    connections: options.connections ?? 50,
    timeoutMs: options.timeout ?? 10_000,
    seed: options.seed ?? 'k6',
  }
  io.stdout.write(kind === 'k6' ? k6Script(k6) : k6TestRun(k6))
  return EXIT.ok
}
