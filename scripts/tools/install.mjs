// Installs the packages of folders that `npm ci` leaves out, since only some scripts use them: `node scripts/tools/install.mjs test`.
// Does nothing if those of the lock file are there.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The packages of a lock file as text. npm leaves the entry of the project, and packages for other systems, out of the one it installed. */
function packagesIn(file) {
  try {
    const { packages } = JSON.parse(readFileSync(file, 'utf8'))
    const entries = Object.entries(packages).filter(
      ([path, { optional, peer }]) => path !== '' && optional !== true && peer !== true,
    )
    return entries
      .map(([path, { version }]) => `${path}@${version}`)
      .toSorted()
      .join('\n')
  } catch {
    return `no ${file}`
  }
}

for (const folder of process.argv.slice(2)) {
  if (packagesIn(`${folder}/package-lock.json`) === packagesIn(`${folder}/node_modules/.package-lock.json`))
    continue
  process.stderr.write(`installs the packages of ${folder}/\n`)
  // No peers: Stryker uses the Vitest of the root.
  const quiet = [
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // A batch file on Windows, which needs a shell.
  const { status } = spawnSync('npm', ['ci', '--prefix', folder, ...quiet], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    process.stderr.write(`npm ci --prefix ${folder} failed\n`)
    process.exitCode = 1
  }
}
