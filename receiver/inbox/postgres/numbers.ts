/** The entry number that people see, from the UUID that encodes it in the database. */
export function numberOf(uuid: string): string {
  return BigInt(`0x${uuid.replaceAll('-', '')}`).toString()
}

/** The inverse of `numberOf`; undefined if the text is not an entry number. */
export function uuidOf(id: string): string | undefined {
  if (!/^[1-9][0-9]{0,18}$/.test(id)) return undefined
  const hex = BigInt(id).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
