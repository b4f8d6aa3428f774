/** Replaces the signing secret in any common encoding, and leaves the rest unchanged. */
export function secretHider(secret: string): (text: string) => string {
  const bytes = Buffer.from(secret)
  return hider('[signing secret]', [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    // Without padding, so that both forms are found.
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ])
}

/** Replaces each occurrence of the texts, in any capitalization, by a name. */
export function hider(name: string, texts: readonly string[]): (text: string) => string {
  if (texts.length === 0) return (text) => text
  // The longest first, since one may be a prefix of another.
  const sources = texts
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const any = new RegExp(sources.join('|'), 'gi')
  return (text) => text.replace(any, name)
}
