import { X509Certificate } from 'node:crypto'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'

/** Which https servers to trust, where that differs from Node.js's own settings. */
export interface Trust {
  /** Certificates in PEM, trusted besides those of public authorities. */
  readonly ca?: string | undefined
  /** True to trust any certificate. */
  readonly insecure?: boolean | undefined
}

/** Options for `tls.connect` and `https.Agent`. */
export interface TlsOptions {
  readonly secureContext?: SecureContext
  readonly rejectUnauthorized?: boolean
}

/**
 * Turns the trust of a run into options for TLS. The context is made once, because parsing all certificates for each
 * connection would take longer than the handshake.
 */
export function tlsOptions(trust: Trust = {}): TlsOptions {
  const known = made.get(trust)
  if (known !== undefined) return known
  const { ca, insecure } = trust
  const options = {
    ...(ca !== undefined && { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) }),
    ...(insecure === true && { rejectUnauthorized: false }),
  }
  made.set(trust, options)
  return options
}

/** Whether a text contains certificates in PEM, and only such as can be parsed. */
export function isPem(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).serialNumber !== '')
  } catch {
    return false
  }
}

const made = new WeakMap<Trust, TlsOptions>()
