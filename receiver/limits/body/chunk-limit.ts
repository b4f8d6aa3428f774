const MAX_CHUNKS = 4096
const BYTES_PER_CHUNK = 32

/** How many chunks a body of so many bytes may have: each takes a microsecond. */
export const chunkLimit = (bytes: number): number => MAX_CHUNKS + bytes / BYTES_PER_CHUNK
