import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A package in a `node_modules` folder, without the packages in its own `node_modules`. */
export interface InstalledPackage {
  /** Its name; the name of a nested package follows those of the packages around it: `a > b`. */
  readonly name: string
  /** The sizes of its files. */
  readonly fileBytes: number
  /** What it takes on a disk with blocks of 4 KiB: what `du` shows on most file systems. */
  readonly diskBytes: number
}

const BLOCK_BYTES = 4096

/** Lists the packages of a `node_modules` folder and of those in it: the folders with a package.json directly below them. */
export function installedPackages(nodeModules: string, around = ''): InstalledPackage[] {
  const names = foldersIn(nodeModules).flatMap((name) =>
    name.startsWith('@') ? foldersIn(join(nodeModules, name)).map((inScope) => `${name}/${inScope}`) : [name],
  )
  return names
    .filter((name) => existsSync(join(nodeModules, name, 'package.json')))
    .flatMap((name) => {
      const folder = join(nodeModules, name)
      const nested = installedPackages(join(folder, 'node_modules'), `${around}${name} > `)
      return [{ name: `${around}${name}`, ...sizesOf(folder) }, ...nested]
    })
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
}

function sizesOf(folder: string): Pick<InstalledPackage, 'fileBytes' | 'diskBytes'> {
  let fileBytes = 0
  let diskBytes = BLOCK_BYTES
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules') continue
      const inside = sizesOf(path)
      fileBytes += inside.fileBytes
      diskBytes += inside.diskBytes
    } else {
      const { size } = lstatSync(path)
      fileBytes += size
      diskBytes += Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
    }
  }
  return { fileBytes, diskBytes }
}
