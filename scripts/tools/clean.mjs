// Removes dist, so that a renamed file is not shipped under both names.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
