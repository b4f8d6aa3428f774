import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore, type Store } from '../../../sandbox/store/store.ts'
import { type Respond, recordingServer } from '../support.ts'
import { fill } from './fill.ts'

/** Starts a receiver that is stopped when the test ends; it responds 200 by default, and with a certificate it uses TLS. */
export async function receiver(respond: Respond = (_request, response) => response.end(), tls?: Certificate) {
  const { got: received, stop, ...more } = await recordingServer(respond, tls)
  onTestFinished(stop)
  return { ...more, received }
}

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A self-signed certificate for names or addresses, such as `DNS:shop.example`; it requires openssl. */
export function certificateFor(...subjects: string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const names = ['-subj', '/CN=test', '-addext', `subjectAltName=${subjects.join(',')}`]
  try {
    const words = ['req', '-x509', ...curve, '-nodes', '-days', '2', ...names, '-keyout', key, '-out', cert]
    execFileSync('openssl', words, { stdio: 'pipe' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A store with one organization, one endpoint and one payment. */
export async function storeWith(path = ':memory:'): Promise<Store> {
  const store = await openStore(path)
  onTestFinished(() => store.close())
  fill(store)
  return store
}
