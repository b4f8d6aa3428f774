import type { Files, Manifest, Project } from './model.ts'
import { run, uses } from './steps.ts'

/** A project of Node.js, with the package manager whose lock file is there. */
export function nodeProject({ has }: Files, { packageManager }: Manifest): Project {
  const named = typeof packageManager === 'string' ? packageManager : ''
  if (has('pnpm-lock.yaml')) {
    // The action refuses a version beside the one in package.json.
    const pnpm = named === '' ? uses('pnpm/action-setup@v5', 'version: 10') : uses('pnpm/action-setup@v5')
    return { steps: [pnpm, run('pnpm install --frozen-lockfile')], start: 'pnpm start' }
  }
  if (has('yarn.lock')) {
    // The runner has Yarn 1, which refuses a project of a later one.
    const steps = /^yarn@(?!1\.)/.test(named)
      ? [run('corepack enable'), run('yarn install --immutable')]
      : [run('yarn install --frozen-lockfile')]
    return { steps, start: 'yarn start' }
  }
  if (has('bun.lock', 'bun.lockb')) {
    const steps = [uses('oven-sh/setup-bun@v2'), run('bun install --frozen-lockfile')]
    return { steps, start: 'bun run start' }
  }
  // Without a lock file, `npm ci` fails.
  const isLocked = has('package-lock.json', 'npm-shrinkwrap.json')
  return { steps: [run(isLocked ? 'npm ci' : 'npm install')], start: 'npm start' }
}
