import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { InboxError } from '../../inbox.ts'

/** The URL parameters that name files, with the matching options of Node's TLS. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const

/** The driver treats these modes as verify-full, with a ten-line warning that a later version will not. */
const TREATED_AS_VERIFY_FULL = ['prefer', 'require', 'verify-ca']

const MODES = ['disable', 'no-verify', ...TREATED_AS_VERIFY_FULL, 'verify-full']

/**
 * Checks and normalizes the TLS parameters of a database URL before the driver reads them. Modes that the driver treats
 * as `verify-full` are replaced by it, so that a later driver does not check less; with `uselibpqcompat=true` they keep
 * their meaning in libpq.
 * @throws InboxError that names the parameter if its value is not valid or its file cannot be used.
 */
export function normalizeTls(parameters: URLSearchParams): void {
  const given = Object.fromEntries(parameters)
  const contents: { ca?: Buffer; cert?: Buffer; key?: Buffer } = {}
  for (const [name, use] of Object.entries(FILES)) {
    const path = given[name]
    if (path) contents[use] = contentOf(name, path)
  }
  requirePem(contents)
  const mode = given['sslmode'] ?? ''
  if (mode !== '' && !MODES.includes(mode)) {
    throw new InboxError(`inbox: sslmode in the database URL must be one of ${MODES.join(', ')}.`)
  }
  if (given['uselibpqcompat'] !== 'true') {
    if (TREATED_AS_VERIFY_FULL.includes(mode)) parameters.set('sslmode', 'verify-full')
  } else if (mode === 'verify-ca' && !given['sslrootcert']) {
    throw new InboxError(
      'inbox: sslmode=verify-ca in the database URL requires sslrootcert, the path of the CA certificate. Add it, or use sslmode=verify-full.',
    )
  }
}

function contentOf(name: string, path: string): Buffer {
  const unreadable = (reason: string, cause?: unknown) =>
    new InboxError(
      `inbox: ${name} in the database URL is ${JSON.stringify(path)}: ${reason}. Use the path of a PEM file that the receiver can read.`,
      { cause },
    )
  try {
    // Reading a pipe or a device may never end.
    const stat = statSync(path)
    if (!stat.isFIFO() && !stat.isCharacterDevice()) return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw unreadable(code === 'ENOENT' ? 'file not found' : `cannot be read (${code})`, error)
  }
  throw unreadable('not a regular file')
}

/** Without this check the driver would fail during a handshake, where its error crashes the process. */
function requirePem(contents: { ca?: Buffer; cert?: Buffer; key?: Buffer }): void {
  const names = Object.entries(FILES).filter(([, use]) => contents[use] !== undefined)
  for (const [name, use] of names) {
    if (!contents[use]?.includes('-----BEGIN ')) throw unusable(name)
  }
  const given = names.map(([name]) => name).join(', ')
  try {
    // createSecureContext silently ignores a CA certificate that it cannot parse.
    if (contents.ca) parseCertificate(contents.ca)
    createSecureContext(contents)
  } catch (error) {
    throw unusable(given, error)
  }
}

const parseCertificate = (pem: Buffer): X509Certificate => new X509Certificate(pem)

function unusable(names: string, cause?: unknown): InboxError {
  return new InboxError(
    `inbox: ${names} in the database URL: not a certificate or key in PEM format, or the key does not match the certificate. Use other files.`,
    { cause },
  )
}
