import { open } from 'node:fs/promises'
import { APPLICATION_ID } from './ownership.ts'

/** Where SQLite's file header has the application id, in bytes. */
const OFFSET = 68

/** Whether the header of a database file, which may be damaged elsewhere, says that it is the sandbox's. */
export async function isMarked(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return false
  try {
    const id = Buffer.alloc(4)
    const { bytesRead } = await file.read(id, 0, id.length, OFFSET)
    return bytesRead === id.length && id.readUInt32BE() === APPLICATION_ID
  } finally {
    await file.close()
  }
}
