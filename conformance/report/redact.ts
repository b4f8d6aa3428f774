/**
 * Makes text fit for a report (SPEC.md 11): the signing secret is replaced by its name, and of anything that may be a
 * signature no more than the first eight digits stay.
 */
export function redactor(secret: string): (text: string) => string {
  const spellings = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ]
  return (text) =>
    spellings
      .reduce((shown, spelling) => shown.replaceAll(spelling, '[signing secret]'), text)
      .replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/gi, '$1...')
      .replace(/\b(v\d+=[^,]{8})[^,\s]+/g, '$1...')
      // A base64 digest of 32 bytes has 43 characters and one sign of padding.
      .replace(/(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{8})[A-Za-z0-9+/]{35}=/g, '$1...')
}
