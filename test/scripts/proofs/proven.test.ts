import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isProven, recordProven } from '../../../scripts/proofs/shared/proven.ts'
import { temporaryFolder } from '../../support/temporary.ts'

test('a proof is proven until a source that it depends on changes', () => {
  const [root, before] = [temporaryFolder(), process.cwd()]
  onTestFinished(() => {
    process.chdir(before)
    vi.unstubAllEnvs()
  })
  vi.stubEnv('CI', undefined)
  process.chdir(root)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const lock = (version: string, isDev: boolean) =>
    write('package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version, dev: isDev } } }))
  write('scripts/proofs/proven.json', '{}')
  lock('1.0.0', true)
  for (const folder of [
    'receiver',
    'fixtures',
    'schemas',
    'test/support',
    'scripts/shared',
    'scripts/proofs/shared',
    'scripts/proofs/timing',
  ])
    write(`${folder}/deep/a.ts`, '1')

  expect(isProven('timing')).toBe(false)
  recordProven('timing')
  expect(isProven('timing')).toBe(true)
  write('receiver/dist/a.js', 'built')
  write('server/a.ts', 'another folder')
  lock('1.0.1', true)
  expect(isProven('timing')).toBe(true)
  write('receiver/deep/a.ts', '2')
  expect(isProven('timing')).toBe(false)
  recordProven('timing')
  write('receiver/new.ts', '1')
  expect(isProven('timing')).toBe(false)
  recordProven('timing')
  lock('1.0.1', false)
  expect(isProven('timing')).toBe(false)
})

test('each proof says which folders it depends on', () => {
  const proofs = readdirSync('scripts/proofs', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .map(({ name }) => name)
  expect(proofs.length).toBeGreaterThan(10)
  for (const proof of proofs) expect(() => isProven(proof)).not.toThrow()
})
