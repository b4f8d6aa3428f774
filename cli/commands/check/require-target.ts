import { UsageError } from '../../shared/exit.ts'
import type { Environment, Io } from '../../shared/io.ts'
import { SECRET_ENV } from '../../shared/secret.ts'
import type { CheckCommandOptions } from './options.ts'

/**
 * Makes sure that the run grades what its user means: without a URL it would grade the bundled receiver, which passes,
 * and a job that lost its config would be green.
 *
 * @throws UsageError that says what to add
 */
export function requireTarget(url: string | undefined, options: CheckCommandOptions, { env }: Io): void {
  const { bundled, config, start, profile, observe, observeCommand } = options
  if (bundled === true) {
    const other = url === undefined ? (typeof config === 'string' ? '--config' : undefined) : 'a URL'
    if (other === undefined && start === undefined) return
    throw new UsageError(
      `--bundled grades the bundled receiver, and cannot be combined with ${other ?? '--start'}: leave one out`,
    )
  }
  if (url === undefined) {
    if (start !== undefined) throw new UsageError('--start needs the URL at which the receiver will listen')
    const reason = reasonToExpectUrl(options, env)
    if (reason === undefined) return
    throw new UsageError(
      `no URL to grade, although ${reason}: pass the URL of your receiver, or --bundled to grade the bundled reference receiver`,
      { code: 'no_url' },
    )
  }
  if (profile === 'full' && observe === undefined && observeCommand === undefined) {
    throw new UsageError(
      '--profile full needs to see effects: add --observe <url> or --observe-command <command>, or leave --profile out',
    )
  }
}

/** What shows that the user has a receiver in mind. */
function reasonToExpectUrl(options: CheckCommandOptions, env: Environment): string | undefined {
  const { secret, secretFile, observe, observeCommand, secretEnv = SECRET_ENV } = options
  if (secret !== undefined || secretFile !== undefined) return 'a signing secret is given'
  if ((env[secretEnv] ?? '') !== '') return `${secretEnv} is set`
  if (observe !== undefined || observeCommand !== undefined) return 'a way to observe effects is given'
  return ['', '0', 'false'].includes(env['CI']?.toLowerCase() ?? '') ? undefined : 'this runs in CI'
}
