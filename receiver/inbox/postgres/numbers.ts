/** The number of an entry, for people; in the database it has the shape of a UUID. */
export function numberOf(uuid: string): string {
  return BigInt(`0x${uuid.replaceAll('-', '')}`).toString()
}

/** The inverse of `numberOf`; undefined for what is no number of an entry. */
export function uuidOf(id: string): string | undefined {
  if (!/^[1-9][0-9]{0,18}$/.test(id)) return undefined
  const hex = BigInt(id).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
