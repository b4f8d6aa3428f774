import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SERVICES } from '../../conformance/contracts/services.ts'

const ROOT = join(import.meta.dirname, '../../conformance')
const FOLDERS = ['engine', 'diagnosis', 'report']
/** Code that users copy is about one service, whose contract their report is for. */
const SNIPPETS = /\.md$/
/** What only one contract states: its id, its title as a name, and its headers. */
const NAMES = Object.values(SERVICES).flatMap(({ id, title, scheme, signatureHeader }) => [
  id,
  ...(/^[A-Z]/.test(title) ? [title] : []),
  signatureHeader,
  ...Object.values(scheme.stamps ?? {}).filter((name) => name !== undefined),
])
const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name) && !SNIPPETS.test(name))
    .map((name) => join(folder, name))

it.each(FOLDERS)('%s names no service and none of its headers', (folder) => {
  const found = filesIn(folder).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return NAMES.filter((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(text)).map(
      (name) => `${file}: ${name}`,
    )
  })
  expect(found).toEqual([])
})
