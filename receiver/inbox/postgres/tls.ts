import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { InboxError } from '../../inbox.ts'

/** Where the URL of a database names files, and what the TLS of Node calls what they hold. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const

/** The driver takes these for verify-full, and writes a warning of ten lines that a later version of it will not. */
const AS_VERIFY_FULL = ['prefer', 'require', 'verify-ca']

/**
 * Looks through what the parameters of a URL say of TLS, before the driver does. The modes that the driver takes for
 * `verify-full` become that, so that a later driver checks no less; with `uselibpqcompat=true` they are libpq's own.
 * @throws InboxError that names the parameter, if a file can not be used.
 */
export function settleTls(parameters: URLSearchParams): void {
  const given = Object.fromEntries(parameters)
  const contents: { ca?: Buffer; cert?: Buffer; key?: Buffer } = {}
  for (const [name, use] of Object.entries(FILES)) {
    const path = given[name]
    if (path) contents[use] = contentOf(name, path)
  }
  requirePem(contents)
  const mode = given['sslmode'] ?? ''
  if (given['uselibpqcompat'] !== 'true') {
    if (AS_VERIFY_FULL.includes(mode)) parameters.set('sslmode', 'verify-full')
  } else if (mode === 'verify-ca' && !given['sslrootcert']) {
    throw new InboxError(
      'inbox: sslmode=verify-ca in the URL of the database needs sslrootcert, the path of the certificate of its authority. Add it, or give sslmode=verify-full.',
    )
  }
}

function contentOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : `it can not be read (${code})`
    throw new InboxError(
      `inbox: ${name} in the URL of the database is ${JSON.stringify(path)}: ${why}. Give the path of a PEM file that the receiver may read.`,
      { cause: error },
    )
  }
}

/** Otherwise the driver finds out in the middle of a handshake, where what it throws would end the process. */
function requirePem(contents: { ca?: Buffer; cert?: Buffer; key?: Buffer }): void {
  const names = Object.entries(FILES).filter(([, use]) => contents[use] !== undefined)
  for (const [name, use] of names) {
    if (!contents[use]?.includes('-----BEGIN ')) throw unusable(name)
  }
  const given = names.map(([name]) => name).join(', ')
  try {
    // An authority that can not be read is passed over in silence by the one below.
    if (contents.ca) parsed(contents.ca)
    createSecureContext(contents)
  } catch (error) {
    throw unusable(given, error)
  }
}

const parsed = (pem: Buffer): X509Certificate => new X509Certificate(pem)

function unusable(names: string, cause?: unknown): InboxError {
  return new InboxError(
    `inbox: ${names} in the URL of the database: what is there is no certificate or key in PEM form, or they do not belong together. Give others.`,
    { cause },
  )
}
