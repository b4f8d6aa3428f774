import type { Hmac } from '../../conformance/diagnosis/mismatch/explain.ts'

/** HMAC by the Web Crypto API, which browsers have on https and on localhost only. */
export function webCryptoHmac(): Hmac {
  const keys = new Map<string, ReturnType<typeof importKey>>()
  return async (hash, key, message) => {
    const name = `${hash} ${key.join()}`
    const imported = keys.get(name) ?? importKey(hash, key)
    keys.set(name, imported)
    return new Uint8Array(await crypto.subtle.sign('HMAC', await imported, new Uint8Array(message)))
  }
}

function importKey(hash: string, key: Uint8Array) {
  // HMAC pads keys with zeros, so one zero is the same as the empty key, which the API rejects.
  const bytes = key.length === 0 ? new Uint8Array(1) : new Uint8Array(key)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign'])
}
