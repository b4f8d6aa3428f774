const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/** Whether arrays and objects in the bytes of a JSON text are nested more than `most` deep. It reads each byte once. */
export function isDeeper(json: Uint8Array, most: number): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) inText = !inText
    else if (inText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === 0x5b || byte === 0x7b) depth += 1
    else if (byte === 0x5d || byte === 0x7d) depth -= 1
    if (depth > most) return true
  }
  return false
}
