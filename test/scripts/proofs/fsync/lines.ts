/** Bytes as strace prints them with `-xx`. */
export const hex = (bytes: string | Buffer): string =>
  [...Buffer.from(bytes as string)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

export const LOG = '/tmp/inbox.sqlite-wal'

export const idOf = (number: number): string => `tx_${String(number).padStart(20, '0')}`

const file = (path: string): string => `9<${hex(path)}>`
const socket = (connection: number): string => `${connection}<socket:[${connection}]>`

export const request = (connection: number, id: string): string =>
  `1 read(${socket(connection)}, "${hex(`POST / HTTP/1.1\r\n\r\n{"id":"${id}"}`)}", 65536) = 50`

export const response = (connection: number, status = 200): string =>
  `1 write(${socket(connection)}, "${hex(`HTTP/1.1 ${status} OK\r\n\r\n`)}", 19) = 19`

export const pwrite = (path: string, data: Buffer, offset: number): string =>
  `1 pwrite64(${file(path)}, "${hex(data)}", ${data.length}, ${offset}) = ${data.length}`

export const sync = (path: string): string => `2 fdatasync(${file(path)}) = 0`
export const syncBegins = (path: string): string => `2 fdatasync(${file(path)} <unfinished ...>`
export const syncEnds = (result = '0'): string => `2 <... fdatasync resumed>) = ${result}`
