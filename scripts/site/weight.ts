import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The most JavaScript that a page loads before anyone searches, compressed, in bytes. */
const MOST_SCRIPT_BYTES = 150_000

/** The page that has everything inside, since it is also a file to download. */
const SELF_CONTAINED = 'sample-report.html'

/** The pages with too much JavaScript, and those with none, where the measurement must have failed. */
export function weightFaults(weights: readonly { page: string; bytes: number }[]): string[] {
  if (weights.length === 0) return ['no page was weighed']
  return weights.flatMap(({ page, bytes }) => {
    if (bytes === 0) return [`${page}: no JavaScript was found`]
    if (bytes <= MOST_SCRIPT_BYTES || page === SELF_CONTAINED) return []
    return [`${page}: ${bytes} bytes of compressed JavaScript, more than ${MOST_SCRIPT_BYTES}`]
  })
}

/** The compressed JavaScript of a built page in bytes: its scripts, and the modules that it preloads. */
export function scriptBytes(folder: string, base: string, page: string): number {
  const html = readFileSync(join(folder, page), 'utf8')
  const inline = [...html.matchAll(/<script\b(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, text = '']) => text,
  )
  const files = [...html.matchAll(/(?:<script\b[^>]*\ssrc|<link rel="modulepreload" href)="([^"]*)"/g)]
    .map(([, href = '']) => href.slice(base.length))
    .filter((file, index, all) => all.indexOf(file) === index)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  return [...inline, ...files].reduce((sum, text) => sum + gzipSync(text).length, 0)
}
