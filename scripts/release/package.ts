import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { linksOf } from '../tools/markdown.ts'

/** The kinds of files that a package may contain: exact names outside of `dist`, a folder with an ending within. */
export type Contents = readonly string[]

/** `dist/receiver/verify.js` is one of `dist/receiver/*.js`; every other file has its own name. */
function kindOf(file: string): string {
  return file.replace(/^(dist\/(?:.*\/)?)[^/]+?(\.d\.ts|\.\w+)$/, '$1*$2')
}

/** The kinds of some files, sorted. */
export function kindsOf(files: readonly string[]): string[] {
  return [...new Set(files.map(kindOf))].toSorted()
}

/**
 * Compares a package with what it is meant to contain.
 * @returns one line for each difference; empty if there is none
 */
export function differences(files: readonly string[], allowed: Contents): string[] {
  const kinds = kindsOf(files)
  return [
    ...files.filter((file) => !allowed.includes(kindOf(file))).map((file) => `${file} is not intended`),
    ...allowed.filter((kind) => !kinds.includes(kind)).map((kind) => `${kind} is missing`),
  ]
}

/**
 * Cuts the notes of a release from CHANGELOG.md.
 * @param version without a `v`
 * @param draft also accepts the section "Unreleased: <version>", for a dry run
 * @returns the text under the heading of the version, without the heading
 * @throws Error if CHANGELOG.md has no such heading, or nothing under it
 */
export function notesOf(changelog: string, version: string, draft: boolean): string {
  const sections = changelog.split(/^## /m).slice(1)
  const title = (section: string) => section.slice(0, section.indexOf('\n')).trim()
  const found = sections.find(
    (section) =>
      title(section) === version ||
      title(section).startsWith(`${version} `) ||
      (draft && title(section) === `Unreleased: ${version}`),
  )
  if (found === undefined) throw new Error(`CHANGELOG.md: add the section "## ${version}"`)
  const text = found.slice(title(found).length).trim()
  if (text === '') throw new Error(`CHANGELOG.md: the section "## ${version}" is empty`)
  return `${text}\n`
}

const REPOSITORY = 'https://github.com/hookproof/hookproof'

/**
 * Copies what a package contains into a folder to pack, and fits it for users who have only the package: links to other
 * files of the repository lead to GitHub, at the tag of the version, and package.json has no scripts, because npm would
 * warn about `prepare` on each installation.
 *
 * @param folder the folder of the package in the repository: `.` or `receiver`
 * @param files what the package contains, relative to its folder
 * @param into the folder to pack
 */
export function stage(folder: string, files: readonly string[], into: string): void {
  for (const file of files) cpSync(join(folder, file), join(into, file))
  const path = join(into, 'package.json')
  const published = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  delete published.scripts
  // The package contains no workspaces, and npm looks for their folders.
  delete published.workspaces
  writeFileSync(path, `${JSON.stringify(published, null, 2)}\n`)
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    const markdown = readFileSync(join(into, file), 'utf8')
    const address = (link: string) =>
      addressOutside(link, { folder, file, files, version: published.version })
    writeFileSync(join(into, file), withAddresses(markdown, address))
  }
}

interface Manifest {
  readonly version: string
  scripts?: object
  workspaces?: readonly string[]
}

/** The targets of the links and images of a Markdown document, also of those in HTML. */
export function targetsOf(markdown: string): string[] {
  const html = markdown.matchAll(/\s(?:src|srcset|href)="([^"]+)"/g)
  return [...new Set([...linksOf(markdown), ...[...html].map(([, target = '']) => target)])]
}

/**
 * Whether a link leads to a file, or a folder, of the package, or to another site.
 * @param link as the document has it
 * @param file the document, relative to the package
 * @param files what the package contains
 */
export function staysInside(link: string, file: string, files: readonly string[]): boolean {
  if (/^[a-z]+:/i.test(link) || link.startsWith('#')) return true
  const target = targetOf(link, file)
  return files.some((other) => other === target || other.startsWith(`${target}/`))
}

function targetOf(link: string, file: string): string {
  const path = decodeURIComponent(link.replace(/#.*$/s, ''))
  return posix.join(posix.dirname(file), path).replace(/\/$/, '')
}

interface Place {
  readonly folder: string
  readonly file: string
  readonly files: readonly string[]
  readonly version: string
}

/** The address on GitHub of a link that leaves the package; undefined for one that does not. */
function addressOutside(link: string, { folder, file, files, version }: Place): string | undefined {
  if (staysInside(link, file, files)) return undefined
  const path = posix.join(folder, targetOf(link, file))
  if (!existsSync(path))
    throw new Error(`${posix.join(folder, file)} has a link to ${link}, which does not exist`)
  // An image is shown from its bytes, not from the page about it.
  const view = statSync(path).isDirectory() ? 'tree' : /\.(?:png|svg)$/.test(path) ? 'raw' : 'blob'
  return `${REPOSITORY}/${view}/v${version}/${path}${/#.*$/s.exec(link)?.[0] ?? ''}`
}

function withAddresses(markdown: string, address: (link: string) => string | undefined): string {
  let text = markdown
  for (const link of targetsOf(markdown)) {
    const other = address(link)
    if (other === undefined) continue
    for (const [before, after] of [
      ['](', ')'],
      ['](', ' '],
      ['"', '"'],
    ] as const)
      text = text.replaceAll(`${before}${link}${after}`, `${before}${other}${after}`)
  }
  return text
}
