import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFile } from '../../support/temporary.ts'

test('a change of the secret file is read as soon as it can be, and the failure before is reported once', () => {
  const file = temporaryFile('secrets.txt')
  writeFileSync(file, 'whsec_old')
  const module = new URL('../../../dist/server/secrets/secrets.js', import.meta.url).href
  // Opens files up to the limit of its process, so that the secret file cannot be opened.
  const program = `
    import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs'
    import { reloadingVerifier } from '${module}'
    const file = ${JSON.stringify(file)}
    const taken = []
    const verifier = reloadingVerifier({
      file,
      everyMs: 1,
      verifierFor: String,
      onReload({ outcome, error }) {
        console.log(outcome, error?.message ?? '')
        if (outcome === 'replaced') clearTimeout(alive)
        else setTimeout(() => taken.forEach(closeSync), 50)
      },
    })
    console.log('started')
    writeFileSync(file + '.new', 'whsec_new')
    renameSync(file + '.new', file)
    try {
      for (;;) taken.push(openSync('/dev/null'))
    } catch {}
    verifier.watch()
    const alive = setTimeout(() => {}, 10_000)`
  const command = 'ulimit -n 60 && exec "$0" --input-type=module --eval "$1"'
  const output = execFileSync('sh', ['-c', command, process.execPath, program])
  expect(String(output)).toMatch(/^started\nkept .*\(EMFILE\)[^\n]*\nreplaced \n$/)
})
