/** How many bytes are shown at the start, and how many at the end. */
const HEAD = 256
const TAIL = 64
const WIDTH = 16

/** Bytes as lines of an offset, hexadecimal digits and ASCII, without the middle of long ones. */
export function hexLines(bytes: Uint8Array): string[] {
  if (bytes.length <= HEAD + TAIL) return linesOf(bytes, 0, bytes.length)
  const tail = bytes.length - TAIL - ((bytes.length - TAIL) % WIDTH)
  return [
    ...linesOf(bytes, 0, HEAD),
    `… ${tail - HEAD} bytes are not shown …`,
    ...linesOf(bytes, tail, bytes.length),
  ]
}

function linesOf(bytes: Uint8Array, from: number, to: number): string[] {
  const lines: string[] = []
  for (let at = from; at < to; at += WIDTH) {
    const part = Array.from(bytes.subarray(at, Math.min(at + WIDTH, to)))
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(WIDTH * 3 - 1)}  ${text}`)
  }
  return lines
}
