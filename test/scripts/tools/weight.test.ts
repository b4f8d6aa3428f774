import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installedPackages } from '../../../scripts/tools/weight/installed-packages.ts'
import { outdatedWeights, withWeights } from '../../../scripts/tools/weight/quoted-weights.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** A `node_modules` folder with these files, of these sizes. */
function installed(files: Readonly<Record<string, number>>): string {
  const folder = temporaryFolder()
  for (const [name, size] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), Buffer.alloc(size))
  }
  return folder
}

describe('the installed packages', () => {
  it('are the folders with a package.json, also in a scope or in another package', () => {
    const folder = installed({
      '.package-lock.json': 9,
      '.bin/tool': 9,
      'plain/package.json': 2,
      'plain/dist/esm/package.json': 3,
      'plain/node_modules/nested/package.json': 5,
      'plain/node_modules/@scope/deep/package.json': 7,
      '@scope/scoped/package.json': 11,
      'no-package/index.js': 13,
    })
    const sizes = installedPackages(folder).map(({ name, fileBytes }) => [name, fileBytes])
    expect(Object.fromEntries(sizes)).toEqual({
      '@scope/scoped': 11,
      plain: 5,
      'plain > @scope/deep': 7,
      'plain > nested': 5,
    })
    expect(installedPackages(join(folder, 'no-package/node_modules'))).toEqual([])
  })

  it('take blocks of 4 KiB on disk, for files and folders', () => {
    const folder = installed({
      'one/package.json': 1,
      'one/a/full': 4096,
      'one/a/over': 4097,
      'one/empty': 0,
    })
    symlinkSync('/', join(folder, 'one/link'))
    // Two folders, a file of one byte, one of a block, one of two blocks, and the link.
    expect(installedPackages(folder)).toMatchObject([{ fileBytes: 1 + 4096 + 4097 + 1, diskBytes: 7 * 4096 }])
  })
})

describe('the weights in README.md', () => {
  const weights = new Map([['@our/package', { packages: 108, files: 14, disk: 26.7 }]])
  const quote = (packages: string, megabytes: string) =>
    `<!-- w:@our/package.packages -->${packages}<!-- /w --> packages, <!-- w:@our/package.disk -->${megabytes}<!-- /w --> MB`

  it('are written with two significant digits, between their markers', () => {
    expect(withWeights(quote('', '9.5'), weights)).toBe(quote('110', '27'))
  })

  it('may differ from the measured ones by a tenth', () => {
    expect(outdatedWeights(quote('110', '27'), weights)).toEqual([])
    expect(outdatedWeights(quote('98', '29.3'), weights)).toEqual([])
    expect(outdatedWeights(quote('119', '24'), weights)).toEqual([
      '@our/package.packages: 119 instead of 108',
      '@our/package.disk: 24 instead of 26.7',
    ])
    expect(outdatedWeights(quote('', '27'), weights)).toEqual([
      '@our/package.packages: nothing instead of 108',
    ])
  })

  it('must be of a package that is weighed', () => {
    const text = quote('1', '1').replaceAll('@our/package', 'other')
    expect(() => withWeights(text, weights)).toThrow('a package that is not weighed: other')
    expect(() => outdatedWeights(text, weights)).toThrow('a package that is not weighed: other')
  })
})
