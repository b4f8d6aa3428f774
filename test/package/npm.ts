import { basename, dirname, join } from 'node:path'

/**
 * A program and its arguments as `execFile` runs them. On Windows npm and npx are batch files, which it refuses, so their
 * scripts run instead.
 * @param npm the script of the npm that runs this, as npm names it in the environment
 * @throws Error if nothing says where npm is
 */
export function executable(
  program: string,
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
  npm = process.env['npm_execpath'],
): readonly [program: string, args: readonly string[]] {
  if (platform !== 'win32' || (program !== 'npm' && program !== 'npx')) return [program, args]
  if (npm === undefined || basename(npm) !== 'npm-cli.js') throw new Error('run this by `npm run`')
  return [process.execPath, [join(dirname(npm), `${program}-cli.js`), ...args]]
}
