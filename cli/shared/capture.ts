import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HeaderLine } from '../../conformance/engine/delivery.ts'
import type { Capture } from '../../schemas/types.ts'
import { UsageError } from './exit.ts'
import { printNotice } from './find.ts'
import { type Io, pathOf } from './io.ts'
import { readText } from './read-file.ts'
import { reasonOf } from './text.ts'

/** The folder of captures in the working directory, unless another one is named. */
export const CAPTURE_FOLDER = '.hookproof'

/** How much a folder of captures may hold: anyone who knows the address of a tunnel can send deliveries. */
const MOST = { files: 1000, bytes: 256 * 1024 * 1024 }

/** The largest capture: a body of 25 MiB in base64, and headers. */
const MOST_FILE_BYTES = 40 * 1024 * 1024

/**
 * Prepares a folder for captures, which only its owner can read, and Git ignores.
 * @returns a function that saves a delivery; it resolves to the path of the file, or undefined if it was not saved, for which it
 * prints the reason once
 * @throws UsageError when the folder cannot be used
 */
export async function openCaptures(
  folder: string,
  io: Io,
): Promise<(capture: Capture) => Promise<string | undefined>> {
  const path = pathOf(io, folder)
  const sizes: number[] = []
  try {
    const created = await mkdir(path, { recursive: true, mode: 0o700 })
    if (created !== undefined) await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx' })
    for (const name of await readdir(path))
      if (name.endsWith('.json')) sizes.push((await stat(join(path, name))).size)
  } catch (error) {
    throw new UsageError(
      `cannot save captures in ${folder}: ${reasonOf(error)}; pass another folder as --capture`,
    )
  }
  let files = sizes.length
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  const printed = new Set<string>()
  const refuse = (reason: string): undefined => {
    if (!printed.has(reason)) printNotice(io, `not captured: ${reason}`)
    printed.add(reason)
  }
  return async (capture) => {
    const text = textOf(capture)
    if (files >= MOST.files || bytes + text.length > MOST.bytes)
      return refuse(`${folder} has ${files} captures of ${bytes} bytes; delete some to go on`)
    files += 1
    bytes += text.length
    const name = `${capture.at.replaceAll(/[^\dTZ]/g, '-')}-${randomBytes(3).toString('hex')}.json`
    try {
      await writeFile(join(path, name), text, { flag: 'wx', mode: 0o600 })
      return join(folder, name)
    } catch (error) {
      return refuse(`${reasonOf(error)}: ${folder}`)
    }
  }
}

/** JSON with one line for each field and each header. */
function textOf({ headers, ...fields }: Capture): string {
  const lines = Object.entries(fields).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`)
  const pairs = headers.map((pair) => `\n    ${JSON.stringify(pair)}`).join(',')
  return `{\n${[...lines, `  "headers": [${pairs}\n  ]`].join(',\n')}\n}\n`
}

/** Reads a capture. @throws UsageError when the file cannot be read or is none */
export async function readCapture(file: string, io: Io): Promise<Capture> {
  const { explain, validate } = await import('../../schemas/validate.ts')
  let value: unknown
  try {
    value = JSON.parse(await readText(pathOf(io, file), { maxBytes: MOST_FILE_BYTES }))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error)
    throw new UsageError(`cannot read the capture ${file}: ${reason}; pass a file that listen has written`)
  }
  const found = validate('capture', value)
  if (found.length > 0) throw new UsageError(`${file} is not a capture: ${explain(found)}`)
  return value as Capture
}

/** Header lines that concern only the connection on which they arrive, or are written again for the next one. */
const OF_CONNECTION =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** The header lines to pass on to another receiver, without those that the user's own lines replace. */
export function forwardedHeaders(
  headers: readonly HeaderLine[],
  own: readonly HeaderLine[] = [],
): HeaderLine[] {
  const listed = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()))
  const dropped = new Set([...listed, ...own.map(([name]) => name.toLowerCase())])
  return headers.filter(([name]) => !OF_CONNECTION.test(name) && !dropped.has(name.toLowerCase()))
}
